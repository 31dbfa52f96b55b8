import type { OpenRequestRow } from '../client';
import { indented } from './argument-lines';
import { repeatedFlags, type ConnectionFlags } from './connection';
import { invocation } from './invocation';
import { tallyOf } from '../agent/policy';
import { spokenAge, spokenDeadline } from '../agent/spoken-time';
import type { Style } from './style';
import { tableLines } from './table';
import { visibleLine } from '../agent/visible-text';

const HEADS = ['RUN', 'REQUEST', 'KIND', 'AGENT', 'AGE', 'EXPIRES', 'PROMPT'];
/** A prompt that is cut shorter tells nobody what is asked. */
const READABLE = 40;

/**
 * The open requests of all runs: a table, or on a terminal too narrow for it a block each, with the whole prompt.
 * `width` is the terminal's in columns; absent where there is none.
 */
export function requestRows(
  rows: readonly OpenRequestRow[],
  flags: ConnectionFlags,
  style: Style,
  width: number | undefined,
  now = Date.now(),
): string[] {
  if (rows.length === 0)
    return [
      flags.searchAttributes === 'none'
        ? 'Without search attributes nothing can be listed.'
        : 'No run waits for an answer.',
    ];
  const cells = rows.map((row) => cellsOf(row, now));
  const unconfirmed = rows.some(({ confirmed }) => !confirmed);
  return [
    ...(isTooNarrow(cells, width)
      ? cells.flatMap((row, at) => [...(at > 0 ? [''] : []), ...blockOf(row, style)])
      : tableLines(HEADS, cells, width)),
    ...(unconfirmed ? ['', '* No worker answered for this run: the row is what it last published.'] : []),
    '',
    `To answer: ${invocation()} answer <run> <request>${repeatedFlags(flags)}`,
  ];
}

type Cells = readonly [
  run: string,
  request: string,
  kind: string,
  agent: string,
  age: string,
  expires: string,
  prompt: string,
];

function cellsOf({ runId, agent, request, openedAt, confirmed }: OpenRequestRow, now: number): Cells {
  return [
    visibleLine(runId) + (confirmed ? '' : ' *'),
    visibleLine(request.id),
    visibleLine(request.kind) + votesOf(request),
    visibleLine(agent),
    spokenAge(openedAt, now),
    spokenDeadline(request.expiresAt, now),
    visibleLine(request.prompt),
  ];
}

/** Somebody has approved already, and more must. */
function votesOf({ policy }: OpenRequestRow['request']): string {
  const tally = tallyOf(policy);
  return tally ? ` (${tally.given} of ${tally.needed})` : '';
}

/** Whether some prompt would be cut to less than can be read. */
function isTooNarrow(cells: readonly Cells[], width: number | undefined): boolean {
  if (width === undefined) return false;
  const longest = Math.max(...cells.map((row) => row[6].length));
  const [line = ''] = tableLines(HEADS, cells);
  const left = width - line.indexOf(HEADS[6] ?? '');
  return left < Math.min(longest, READABLE);
}

/** The prompt first: it is what somebody looks for. */
function blockOf([run, request, kind, agent, age, expires, prompt]: Cells, style: Style): string[] {
  const facts = [
    `${kind} of ${agent}`,
    ...(age === '' ? [] : [`${age} old`]),
    ...(expires === '' ? [] : [expires === 'overdue' ? expires : `expires ${expires}`]),
  ];
  return [
    style.bold(prompt),
    ...indented([`run      ${run}`, `request  ${request}`, style.dim(facts.join(', '))]),
  ];
}
