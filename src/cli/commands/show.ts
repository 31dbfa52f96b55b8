import type { Command } from 'commander';
import type { RunView } from '../../client';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT, exitOfStatus } from '../exit-codes';
import { onInterrupt } from '../interruption';
import { carryOut, newCommand, withJson } from '../new-command';
import type { Output, OutputOptions } from '../output';
import { endSentence, haltLines } from '../report-run';
import { waitOf } from '../start-options';
import { transcriptLines } from '../transcript-lines';
import { waitDuration } from '../values';
import { visible } from '../visible-text';

interface ShowFlags extends ConnectionFlags, OutputOptions {
  readonly full?: true;
  readonly wait?: true | number;
}

export function showCommand(): Command {
  const command = newCommand('show', {
    summary: 'show a run: what was said and called, who answered, where it stands',
    details:
      'Ends with 0 however the run stands, or with --wait by how it then stands. The id of an ask is <conversation>/<n>',
    examples: [
      'holdpoint show ticket-77',
      'holdpoint show customer-77/3 --full',
      'holdpoint show ticket-77 --wait',
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<run>', 'id of the run')
    .option('--full', 'cut nothing, however long')
    .option(
      '--wait [duration]',
      'wait for the next halt or the end first, and end with its exit code (default: 10m)',
      waitDuration,
    );
  return withJson(withConnection(command)).action(show);
}

async function show(runId: string, flags: ShowFlags): Promise<void> {
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      using interruption = onInterrupt();
      const { signal } = interruption;
      const view =
        flags.wait === undefined
          ? await client.get(runId, { signal })
          : await client.waitForHalt(runId, { signal, ...waitOf(flags.wait) });
      output.result(view, showLines(view, flags, output));
      return flags.wait === undefined ? EXIT.done : exitOfStatus(view.status);
    }),
  );
}

function showLines(view: RunView, flags: ShowFlags, { style }: Output): string[] {
  const { usage, model, status } = view;
  const cost = model === '' ? [] : [style.dim(`${usage.totalTokens} tokens, model ${visible(model)}`)];
  const end = status === 'pending' ? haltLines(view, flags, style) : [visible(endSentence(view)), ...cost];
  const transcript = transcriptLines(view, { style, full: flags.full === true });
  return [...transcript, ...(transcript.length > 0 ? [''] : []), ...end];
}
