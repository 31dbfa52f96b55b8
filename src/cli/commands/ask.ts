import { Option, type Command } from 'commander';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { onInterrupt } from '../interruption';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { reportRun } from '../report-run';
import { startOf, waitOf, withStartOptions, withWait, type StartFlags } from '../start-options';
import { duration, textArgument } from '../values';

interface AskFlags extends ConnectionFlags, StartFlags, OutputOptions {
  readonly whilePending?: 'refuse' | 'queue' | 'decline';
  readonly idleTtl?: number;
}

export function askCommand(): Command {
  const command = newCommand('ask', {
    summary: 'say something in a conversation and wait for the reply',
    details:
      'The first ask starts the conversation. Prints what the agent says, or what it waits for with the commands that answer it',
    examples: [
      `holdpoint ask refund-desk customer-77 'And order 1052?'`,
      `holdpoint ask refund-desk customer-77 'Never mind' --while-pending decline`,
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<agent>', 'name of an agent that a worker has')
    .argument('<conversation>', 'id of the conversation')
    .argument('<text>', 'what the user says; - reads standard input')
    .addOption(
      new Option(
        '--while-pending <what>',
        'while the conversation waits for an answer: refuse, run after it, or decline first (default: refuse)',
      ).choices(['refuse', 'queue', 'decline']),
    )
    .option('--idle-ttl <duration>', 'how long without an ask until it closes (default: 90d)', duration);
  withWait(withStartOptions(command));
  return withJson(withConnection(command, { taskQueue: true, tenant: true })).action(ask);
}

async function ask(agent: string, conversation: string, text: string, flags: AskFlags): Promise<void> {
  await carryOut(flags, async (output) => {
    const input = await textArgument(text);
    const options = await startOf(flags);
    const { whilePending, idleTtl } = flags;
    return withClient(flags, output, async (client) => {
      using interruption = onInterrupt();
      interruption.goesOn(`Conversation ${conversation} goes on: its ask is queued or under way.`);
      const result = await client.ask(agent, conversation, input, {
        ...options,
        ...waitOf(flags.wait),
        signal: interruption.signal,
        ...(whilePending !== undefined && { whilePending }),
        ...(idleTtl !== undefined && { idleTtlMs: idleTtl }),
      });
      output.note(`Run ${result.runId}`);
      return reportRun(output, result, flags);
    });
  });
}
