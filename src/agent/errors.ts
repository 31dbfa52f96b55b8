import type { JsonObject } from './json';

/**
 * Every stable error type. `docs/errors.md` explains each. A type never changes its meaning.
 */
export type ErrorType =
  | `Holdpoint.Answer.${
      | 'Malformed'
      | 'TooLarge'
      | 'Invalid'
      | 'UnknownRequest'
      | 'UnknownCall'
      | 'AlreadyAnswered'
      | 'AnswerIdReused'
      | 'Expired'
      | 'NotApprover'
      | 'DigestMismatch'
      | 'RunClosed'}`
  | `Holdpoint.Run.${
      | 'Failed'
      | 'NotFound'
      | 'AlreadyExists'
      | 'Closed'
      | 'UnknownAgent'
      | 'InvalidInput'
      | 'Unbalanced'
      | 'OutputInvalid'
      | 'WaitForFailed'}`
  | `Holdpoint.Conversation.${'Pending' | 'Closed' | 'QueueFull' | 'NotFound'}`
  | `Holdpoint.Model.${
      'Failed' | 'Rejected' | 'InvalidResponse' | 'TimedOut' | 'Unknown' | 'NoApiKey' | 'InvalidOptions'}`
  | `Holdpoint.Tool.${'InvalidDefinition' | 'Clash' | 'NotStarted' | 'OutcomeUnknown' | 'Mismatch' | 'ServerUnreachable'}`
  | `Holdpoint.Transcript.Unreadable`
  | `Holdpoint.Data.${'Unavailable' | 'Unreadable'}`
  | `Holdpoint.Webhook.NotDelivered`
  | `Holdpoint.Agent.InvalidDefinition`
  | `Holdpoint.Client.${'Unreachable' | 'WaitTimedOut' | 'NoWorker' | 'InvalidOptions'}`
  | `Holdpoint.Worker.${'InvalidOptions' | 'MissingSearchAttributes' | 'Unreachable'}`
  | `Holdpoint.Server.${'NotFound' | 'PortTaken' | 'Failed' | 'Unreachable' | 'InvalidOptions'}`
  | `Holdpoint.Mcp.${'InvalidOptions' | 'NotInstalled'}`
  | `Holdpoint.Inbox.${'InvalidOptions'}`
  | `Holdpoint.Config.${'Unreadable' | 'Invalid'}`
  | `Holdpoint.Http.${
      | 'Malformed'
      | 'Unauthenticated'
      | 'Forbidden'
      | 'UnknownRoute'
      | 'WrongMethod'
      | 'TooLarge'
      | 'UnsupportedMediaType'
      | 'IdempotencyKeyReused'
      | 'RateLimited'
      | 'TooManyWaits'
      | 'Unavailable'
      | 'Failed'}`
  | `Holdpoint.Token.${'Unknown' | 'Expired' | 'NoKey'}`
  | `Holdpoint.Command.${'Usage' | 'InvalidFile' | 'Interrupted' | 'Failed'}`
  | `Holdpoint.Testing.${'NotDeterministic' | 'ReplayFailed' | 'InvalidHistory' | 'Stopped'}`;

/**
 * The one error class. `type` is stable and dotted, `data` holds the fields a program needs, and the
 * message says what happened, to what, and what to do.
 *
 * ```ts
 * if (error instanceof HoldpointError && error.type === 'Holdpoint.Answer.Expired') notify(error.data);
 * ```
 */
export class HoldpointError extends Error {
  override readonly name = 'HoldpointError';

  constructor(
    readonly type: ErrorType,
    message: string,
    readonly data: JsonObject = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** An error in a form that survives JSON: what a run keeps of a failure. */
export interface ErrorInfo {
  readonly type: string;
  readonly message: string;
  readonly data?: JsonObject;
}

export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof HoldpointError)
    return {
      type: error.type,
      message: error.message,
      ...(Object.keys(error.data).length > 0 && { data: error.data }),
    };
  return { type: 'Holdpoint.Run.Failed', message: errorMessage(error) };
}

/** A readable message for anything that was thrown: never `{}`, never `[object Object]` (R2). */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'string') return thrown === '' ? 'An empty string was thrown.' : thrown;
  if (thrown === undefined) return 'undefined was thrown.';
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'message' in thrown &&
    typeof thrown.message === 'string' &&
    thrown.message !== ''
  )
    return thrown.message;
  try {
    const text = JSON.stringify(thrown) ?? typeof thrown;
    return text === '{}' ? 'An object without a message was thrown.' : text;
  } catch {
    return 'A value that cannot be shown was thrown.';
  }
}
