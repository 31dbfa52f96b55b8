import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { errorMessage, toErrorInfo, type ErrorInfo } from '../agent/errors';
import { isRecord } from '../agent/json';
import { NO_USAGE } from '../agent/model';
import type { RunOutcome } from '../agent/result';
import type { ClientContext } from './client-context';
import type { Target } from './ids';
import { readable } from './readable';
import { fromApplicationFailure } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/** What the close event of a workflow says of its end. */
export type Closing =
  | { readonly outcome: RunOutcome }
  /** Only that it was cancelled; the rest is the run's to tell. */
  | { readonly cancelled: true }
  /** Ended from outside, or by a fault: not by the run itself. */
  | { readonly error: ErrorInfo };

/** Reads the close event, which needs no worker (R35). */
export async function readClosing(
  context: ClientContext,
  target: Target,
  executionId: string,
  limit: WaitLimit,
): Promise<Closing> {
  const { workflow } = context.temporal;
  try {
    const result: unknown = await limit.retrying(() => workflow.result(target.workflowId, executionId));
    readable(result, target);
    if (isOutcome(result)) return { outcome: result };
    return { error: failed('Its workflow completed with something that is not a result.') };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (cause instanceof CancelledFailure) return { cancelled: true };
    const details: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
    readable(details, target);
    if (isOutcome(details)) return { outcome: details };
    const typed = fromApplicationFailure(cause);
    return { error: typed ? toErrorInfo(typed) : failed(errorMessage(cause ?? error)) };
  }
}

/** What is left to say of a run when nothing but its end is known. */
export function bareOutcome(runId: string): Omit<RunOutcome, 'status'> {
  return { runId, text: '', toolCallCount: 0, turns: 0, usage: NO_USAGE, model: '' };
}

function isOutcome(value: unknown): value is RunOutcome {
  return isRecord(value) && typeof value['runId'] === 'string' && typeof value['status'] === 'string';
}

function failed(message: string): ErrorInfo {
  return { type: 'Holdpoint.Run.Failed', message };
}
