import type { Command } from 'commander';
import type { OpenRequestRow } from '../../client';
import { repeatedFlags, withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { invocation } from '../invocation';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { spokenAge, spokenDeadline } from '../spoken-time';
import { tableLines } from '../table';
import { wholeNumber } from '../values';
import { visibleLine } from '../visible-text';

interface RequestsFlags extends ConnectionFlags, OutputOptions {
  readonly agent?: string;
  readonly kind?: string;
  readonly tenant?: string;
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
    .option('--tenant <name>', 'only of this tenant')
    .option('--limit <n>', 'runs to look at, at most (default: 1000)', wholeNumber);
  return withJson(withConnection(command)).action(requests);
}

async function requests(flags: RequestsFlags): Promise<void> {
  const { agent, kind, tenant, limit } = flags;
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      const rows = await client.requests({
        ...(agent !== undefined && { agent }),
        ...(kind !== undefined && { kind }),
        ...(tenant !== undefined && { tenant }),
        ...(limit !== undefined && { limit }),
      });
      output.result({ requests: rows }, requestsLines(rows, flags));
      return EXIT.done;
    }),
  );
}

const HEADS = ['RUN', 'REQUEST', 'KIND', 'AGENT', 'AGE', 'EXPIRES', 'PROMPT'];

function requestsLines(rows: readonly OpenRequestRow[], flags: RequestsFlags): string[] {
  if (rows.length === 0)
    return [
      flags.searchAttributes === 'none'
        ? 'Without search attributes nothing can be listed.'
        : 'No run waits for an answer.',
    ];
  const now = Date.now();
  const cells = rows.map(({ runId, agent, request, openedAt, confirmed }) => [
    visibleLine(runId) + (confirmed ? '' : ' *'),
    visibleLine(request.id),
    visibleLine(request.kind),
    visibleLine(agent),
    spokenAge(openedAt, now),
    spokenDeadline(request.expiresAt, now),
    visibleLine(request.prompt),
  ]);
  const unconfirmed = rows.some(({ confirmed }) => !confirmed);
  return [
    ...tableLines(HEADS, cells, process.stdout.isTTY ? process.stdout.columns : undefined),
    ...(unconfirmed ? ['', '* No worker answered for this run: the row is what it last published.'] : []),
    '',
    `To answer: ${invocation()} answer <run> <request>${repeatedFlags(flags)}`,
  ];
}
