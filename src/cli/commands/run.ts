import type { Command } from 'commander';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { onInterrupt } from '../interruption';
import { invocation } from '../invocation';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { reportRun } from '../report-run';
import { startOf, waitOf, withStartOptions, withWait, type StartFlags } from '../start-options';
import { textArgument } from '../values';

interface RunFlags extends ConnectionFlags, StartFlags, OutputOptions {
  readonly runId?: string;
}

export function runCommand(): Command {
  const command = newCommand('run', {
    summary: 'start a run and wait until it halts or ends',
    details:
      'Prints what the agent says, or what the run waits for with the commands that answer it. The run goes on whether or not anybody waits',
    examples: [
      `holdpoint run refund-desk 'Please refund order 1047'`,
      `holdpoint run refund-desk 'Please refund order 1047' --run-id ticket-77 --no-wait`,
      `holdpoint run refund-desk - --max-total-turns 20 < letter.txt`,
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<agent>', 'name of an agent that a worker has')
    .argument('<text>', 'what the user says; - reads standard input')
    .option('--run-id <id>', 'the same id with the same text is the same run (default: a new one)');
  withWait(withStartOptions(command)).option('--no-wait', 'only start it, and print its id');
  return withJson(withConnection(command, { taskQueue: true, tenant: true })).action(run);
}

async function run(agent: string, text: string, flags: RunFlags): Promise<void> {
  await carryOut(flags, async (output) => {
    const input = await textArgument(text);
    const options = await startOf(flags);
    return withClient(flags, output, async (client) => {
      using interruption = onInterrupt();
      const { signal } = interruption;
      const { runId } = await client.start(agent, input, {
        ...options,
        signal,
        ...(flags.runId !== undefined && { runId: flags.runId }),
      });
      if (flags.wait === false) {
        output.result({ runId }, runId);
        return EXIT.done;
      }
      interruption.goesOn(`Run ${runId} goes on. To wait again: ${invocation()} show ${runId} --wait`);
      output.note(`Run ${runId}`);
      return reportRun(output, await client.waitForHalt(runId, { signal, ...waitOf(flags.wait) }), flags);
    });
  });
}
