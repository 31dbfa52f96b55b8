import type { Command } from 'commander';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { withRunOrLastAsk } from '../last-ask';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { visibleLine } from '../../agent/visible-text';

export function cancelCommand(): Command {
  const command = newCommand('cancel', {
    summary: 'cancel a run, or one ask of a conversation',
    details:
      'Aborts its calls and closes its requests. Ends as soon as that is on record; the run itself may take seconds more',
    examples: ['holdpoint cancel ticket-77', 'holdpoint cancel customer-77/3'],
    exits: ['done', 'refused', 'unavailable'],
  }).argument('<run>', 'id of the run, or of a conversation: its current ask');
  return withJson(withConnection(command, { tenant: true })).action(cancel);
}

async function cancel(id: string, flags: ConnectionFlags & OutputOptions): Promise<void> {
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      const runId = await withRunOrLastAsk(client, { id, tenant: flags.tenant }, output, async (run) => {
        await client.cancel(run);
        return run;
      });
      output.result({ runId, cancelled: true }, `Run ${visibleLine(runId)} is being cancelled.`);
      return EXIT.done;
    }),
  );
}
