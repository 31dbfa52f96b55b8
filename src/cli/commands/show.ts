import { Option, type Command } from 'commander';
import type { HoldpointClient, RunView } from '../../client';
import { usageError } from '../command-error';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { eventLine } from '../event-line';
import { EXIT, exitOfStatus, type ExitCode } from '../exit-codes';
import { onInterrupt } from '../interruption';
import { withRunOrLastAsk } from '../last-ask';
import { carryOut, newCommand, withJson } from '../new-command';
import type { Output, OutputOptions } from '../output';
import { endSentence, haltLines } from '../report-run';
import { waitOf } from '../start-options';
import { transcriptLines } from '../transcript-lines';
import { waitDuration, wholeNumber } from '../values';
import { visible } from '../../agent/visible-text';

interface ShowFlags extends ConnectionFlags, OutputOptions {
  readonly full?: true;
  readonly wait?: true | number;
  readonly follow?: true;
  readonly after?: number;
  readonly progress?: true;
}

export function showCommand(): Command {
  const command = newCommand('show', {
    summary: 'show a run: what was said and called, who answered, where it stands',
    details:
      'Ends with 0 however the run stands, or with --wait by how it then stands. The id of an ask is <conversation>/<n>; a conversation’s own id shows its last ask',
    examples: [
      'holdpoint show ticket-77',
      'holdpoint show customer-77/3 --full',
      'holdpoint show ticket-77 --wait',
      'holdpoint show ticket-77 --follow',
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<run>', 'id of the run, or of a conversation: its last ask')
    .option('--full', 'cut nothing, however long')
    .option(
      '--wait [duration]',
      'wait for the next halt or the end first, and end with its exit code (default: 10m)',
      waitDuration,
    )
    .addOption(
      new Option(
        '--follow',
        'show what happens, event by event, until the run has ended; with --json one line of JSON each',
      ).conflicts(['wait', 'full']),
    )
    .option('--after <position>', 'with --follow: go on after the event of this position', wholeNumber)
    .option('--progress', 'with --follow: show too how far tool calls say that they are');
  return withJson(withConnection(command, { tenant: true })).action(show);
}

async function show(id: string, flags: ShowFlags): Promise<void> {
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      using interruption = onInterrupt();
      const { signal } = interruption;
      if (!flags.follow && flags.after !== undefined) throw usageError('--after goes with --follow.');
      if (!flags.follow && flags.progress) throw usageError('--progress goes with --follow.');
      return withRunOrLastAsk(client, { id, tenant: flags.tenant }, output, async (runId) => {
        if (flags.follow) return follow(client, runId, flags, signal, output);
        const view =
          flags.wait === undefined
            ? await client.get(runId, { signal })
            : await client.waitForHalt(runId, { signal, ...waitOf(flags.wait) });
        output.result(view, showLines(view, flags, output));
        return flags.wait === undefined ? EXIT.done : exitOfStatus(view.status);
      });
    }),
  );
}

/** Needs no worker: the events are in the run's own history. */
async function follow(
  client: HoldpointClient,
  runId: string,
  { after, progress }: ShowFlags,
  signal: AbortSignal,
  output: Output,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const range = { progress: progress === true, ...(after !== undefined && { after }) };
  for await (const event of client.events(runId, { signal, ...range })) {
    output.entry(event, eventLine(event, output.style));
    if (event.type === 'run') code = exitOfStatus(event.status);
  }
  return code;
}

function showLines(view: RunView, flags: ShowFlags, { style }: Output): string[] {
  const { usage, model, status } = view;
  const cost = model === '' ? [] : [style.dim(`${usage.totalTokens} tokens, model ${visible(model)}`)];
  const end = status === 'pending' ? haltLines(view, flags, style) : [visible(endSentence(view)), ...cost];
  const transcript = transcriptLines(view, { style, full: flags.full === true });
  return [...transcript, ...(transcript.length > 0 ? [''] : []), ...end];
}
