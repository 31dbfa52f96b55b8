import type { Command } from 'commander';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { requestRows } from '../request-rows';
import { wholeNumber } from '../values';

interface RequestsFlags extends ConnectionFlags, OutputOptions {
  readonly agent?: string;
  readonly kind?: string;
  readonly approver?: string;
  readonly limit?: number;
}

export function requestsCommand(): Command {
  const command = newCommand('requests', {
    summary: 'list what all runs wait on',
    details: 'A run that halted a moment ago may still be missing: the server’s lists lag a little',
    examples: ['holdpoint requests', 'holdpoint requests --kind approval --agent refund-desk'],
    exits: ['done', 'unavailable'],
  })
    .option('--agent <name>', 'only of this agent')
    .option('--kind <kind>', 'only of this kind, such as approval or tool_call')
    .option('--approver <name>', 'only those that ask this person or role')
    .option('--limit <n>', 'runs to look at, at most (default: 1000)', wholeNumber);
  return withJson(withConnection(command, { tenant: true })).action(requests);
}

async function requests(flags: RequestsFlags): Promise<void> {
  const { agent, kind, approver, limit } = flags;
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      const rows = await client.requests({
        ...(agent !== undefined && { agent }),
        ...(kind !== undefined && { kind }),
        ...(approver !== undefined && { approver }),
        ...(limit !== undefined && { limit }),
      });
      const width = process.stdout.isTTY ? process.stdout.columns : undefined;
      output.result({ requests: rows }, requestRows(rows, flags, output.style, width));
      return EXIT.done;
    }),
  );
}
