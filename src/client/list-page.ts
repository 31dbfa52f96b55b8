import { createHash } from 'node:crypto';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { HoldpointError } from '../agent/errors';
import { isRecord, parseJson } from '../agent/json';
import type { ClientContext } from './client-context';
import { executionInfo } from './execution-info';
import { GRPC, grpcErrorOf } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/** One page of the server's list. */
export interface WorkflowPage {
  readonly workflows: readonly WorkflowExecutionInfo[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: Uint8Array;
}

/** Reads one page of a list; the server's order is open ones first, then closed, newest first. */
export async function readListPage(
  context: ClientContext,
  request: { readonly query: string; readonly pageSize: number; readonly token?: Uint8Array },
  limit: WaitLimit,
): Promise<WorkflowPage> {
  const { temporal, namespace } = context;
  const { query, pageSize, token } = request;
  const { executions, nextPageToken } = await limit
    .retrying(() =>
      temporal.workflowService.listWorkflowExecutions({
        namespace,
        query,
        pageSize,
        ...(token && { nextPageToken: token }),
      }),
    )
    .catch((error: unknown) => {
      // The token was made up, or is of a server that was since replaced.
      if (token && grpcErrorOf(error)?.code === GRPC.invalidArgument) throw badCursor(error);
      throw error;
    });
  const workflows = await Promise.all((executions ?? []).map((raw) => executionInfo(context, raw)));
  return { workflows, ...(nextPageToken?.length && { next: nextPageToken }) };
}

/** A place in one list, as a caller keeps it: the server's own token, and which list it belongs to. */
export function toCursor(context: ClientContext, query: string, token: Uint8Array): string {
  const text = JSON.stringify({ t: Buffer.from(token).toString('base64'), l: listName(context, query) });
  return Buffer.from(text).toString('base64url');
}

/** Reads a cursor. Throws `Holdpoint.Client.InvalidOptions` for one of another list, or none at all. */
export function fromCursor(context: ClientContext, query: string, cursor: unknown): Uint8Array {
  const value = typeof cursor === 'string' ? parseJson(Buffer.from(cursor, 'base64url').toString()) : cursor;
  if (isRecord(value) && typeof value['t'] === 'string' && value['l'] === listName(context, query))
    return Buffer.from(value['t'], 'base64');
  throw badCursor();
}

export function badCursor(cause?: unknown): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    'The cursor is not one of this list. Give `next` of a page that was asked for with the same filter, or leave it out to begin again.',
    {},
    { cause },
  );
}

/** What the pages of one list have in common: whose runs it shows, and which. */
function listName({ namespace }: ClientContext, query: string): string {
  return createHash('sha256').update(`${namespace}\n${query}`).digest('base64url').slice(0, 16);
}
