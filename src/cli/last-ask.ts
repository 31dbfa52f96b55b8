import { HoldpointError } from '../agent/errors';
import { ownId } from '../agent/tenant';
import { MEMO_KEY, QUERY_STATE, type RunSnapshot } from '../agent/wire';
import type { HoldpointClient } from '../client';
import { conversationTarget } from '../client/ids';
import { isRunMemo } from '../client/run-description';
import type { Output } from './output';
import { visibleLine } from '../agent/visible-text';

/** The conversation is there, so a worker that answers at all does so soon. */
const QUERY_MS = 10_000;

/** An id that was given, and whose runs are meant. */
export interface AskedRun {
  readonly id: string;
  readonly tenant: string | undefined;
}

/**
 * Does something to a run. Where no run has the id but a conversation has, its current or last ask is meant: that
 * is the one run which people who know only the conversation can have in mind. Says so on standard error.
 */
export async function withRunOrLastAsk<T>(
  client: HoldpointClient,
  { id, tenant }: AskedRun,
  output: Output,
  use: (runId: string) => Promise<T>,
): Promise<T> {
  try {
    return await use(id);
  } catch (error) {
    if (!isUnknownRun(error, id)) throw error;
    const ask = await lastAskOf(client, { id, tenant });
    if (ask === undefined) throw error;
    output.note(`${visibleLine(id)} is a conversation; its last ask is ${visibleLine(ask)}.`);
    return use(ask);
  }
}

/** The id of an ask has a number after its slash, and was meant as it is. */
function isUnknownRun(error: unknown, id: string): boolean {
  return error instanceof HoldpointError && error.type === 'Holdpoint.Run.NotFound' && !/\/\d+$/.test(id);
}

/** The run id of a conversation's current or last ask; `undefined` without such a conversation, or before its first. */
async function lastAskOf(
  { temporal }: HoldpointClient,
  { id, tenant }: AskedRun,
): Promise<string | undefined> {
  const { workflowId } = conversationTarget(id, tenant === undefined ? undefined : { tenant });
  const handle = temporal.workflow.getHandle(workflowId);
  const found = await handle.describe().catch(() => undefined);
  if (!found) return undefined;
  try {
    const deadline = Date.now() + QUERY_MS;
    const query = () => handle.query<RunSnapshot | null>(QUERY_STATE);
    const runId = (await temporal.withDeadline(deadline, query))?.runId;
    return runId && ownId(runId, tenant);
  } catch {
    // No worker: the memo tells of the last ask that halted or ended, and of number 0 before the first.
    const memo = found.memo?.[MEMO_KEY];
    return isRunMemo(memo) && !memo.runId.endsWith('/0') ? ownId(memo.runId, tenant) : undefined;
  }
}
