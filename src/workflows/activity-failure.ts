/** What an activity's failure means to a run. `instanceof` holds here: the SDK rebuilds its own classes. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { errorMessage, HoldpointError, type ErrorType } from '../agent/errors';
import { isRecord, type JsonObject } from '../agent/json';
import { isNotStartedType, isUnreadType } from '../agent/not-started';
import type { ToolOutcome } from '../agent/run-state';
import { isUndecodable } from '../agent/undecodable';

/** The activity ended before the tool was touched: another worker may try. */
export function isNotStarted(error: unknown): boolean {
  return isNotStartedType(typeOf(error));
}

/** What the model reads when no worker has started the call, however often it was tried. */
export function notStartedText(error: unknown, name: string): string {
  const { type, message, data } = toHoldpointError(error);
  // Its tool is known, and what it would be asked of is away.
  const isAway = data['server'] !== undefined || isUnreadType(type);
  return isAway ? `${name} was not started: ${message}` : `Unknown tool: ${name}`;
}

/** Anything that stopped a tool activity leaves its outcome unknown (R33): the tool's own errors are results. */
export function toToolOutcome(error: unknown): ToolOutcome {
  const cause = causeOf(error);
  if (cause instanceof CancelledFailure) return { is: 'cancelled', ran: true };
  if (cause instanceof TimeoutFailure) return { is: 'unknown', why: timeoutReason(cause.timeoutType) };
  return { is: 'unknown', why: errorMessage(cause) };
}

function timeoutReason(type: TimeoutType): string {
  return type === TimeoutType.HEARTBEAT
    ? 'its worker stopped responding'
    : 'it ran longer than its time limit';
}

/** The run's error for a failed activity, with the type that the worker gave it. */
export function toHoldpointError(error: unknown): HoldpointError {
  const cause = causeOf(error);
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return new HoldpointError(
    (typeOf(error) ?? 'Holdpoint.Run.Failed') as ErrorType,
    errorMessage(cause),
    isRecord(details) && !isUndecodable(details) ? (details as JsonObject) : {},
    { cause: error },
  );
}

export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? (error.cause ?? error) : error;
}

function typeOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return typeof type === 'string' && type.startsWith('Holdpoint.') ? type : undefined;
}
