import { Option, type Command } from 'commander';
import type { ListedRun } from '../../client';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { spokenAge } from '../../agent/spoken-time';
import { tableLines } from '../table';
import { wholeNumber } from '../values';
import { visibleLine } from '../../agent/visible-text';

/** How a run can stand; `idle` is a conversation between asks. */
const STATUSES = ['running', 'pending', 'idle', 'done', 'incomplete', 'cancelled', 'failed'] as const;

interface ListFlags extends ConnectionFlags, OutputOptions {
  readonly status?: (typeof STATUSES)[number];
  readonly agent?: string;
  readonly limit?: number;
}

export function listCommand(): Command {
  const command = newCommand('list', {
    summary: 'list runs and conversations: open ones first, the latest of each kind first',
    details:
      'A conversation is a row with its current or last ask. What changed a moment ago may not show yet: the server’s lists lag a little',
    examples: ['holdpoint list', 'holdpoint list --status pending --agent refund-desk'],
    exits: ['done', 'unavailable'],
  })
    .addOption(new Option('--status <status>', 'only those that stand so').choices(STATUSES))
    .option('--agent <name>', 'only of this agent')
    .option('--limit <n>', 'rows at most (default: 100)', wholeNumber);
  return withJson(withConnection(command, { tenant: true })).action(list);
}

async function list(flags: ListFlags): Promise<void> {
  const { status, agent, limit = 100 } = flags;
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      const runs = await client.list({
        limit,
        ...(status !== undefined && { status }),
        ...(agent !== undefined && { agent }),
      });
      output.result({ runs }, listLines(runs, flags));
      // Nobody should take a full page for all there is.
      if (runs.length === limit) output.note(`There may be more than these ${limit}: give a higher --limit.`);
      return EXIT.done;
    }),
  );
}

const HEADS = ['RUN', 'AGENT', 'STATUS', 'AGE'];

function listLines(runs: readonly ListedRun[], { searchAttributes, ...filter }: ListFlags): string[] {
  if (searchAttributes === 'none') return ['Without search attributes nothing can be listed.'];
  const { status, agent, tenant } = filter;
  const isFiltered = [status, agent, tenant].some((value) => value !== undefined);
  if (runs.length === 0) return [isFiltered ? 'There are no such runs.' : 'There are no runs.'];
  const now = Date.now();
  const rows = runs.map((run) => [
    visibleLine(run.runId),
    visibleLine(run.agent),
    run.status,
    spokenAge(run.startedAt, now),
  ]);
  return tableLines(HEADS, rows);
}
