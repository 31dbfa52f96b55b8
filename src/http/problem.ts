import { HoldpointError, type ErrorType } from '../agent/errors';
import type { JsonObject } from '../agent/json';

/** The HTTP status of every error that a caller of the API may get; any other error is a 500. */
const STATUS: Partial<Record<ErrorType, ProblemStatus>> = {
  'Holdpoint.Http.Malformed': 400,
  'Holdpoint.Answer.Malformed': 400,
  'Holdpoint.Client.InvalidOptions': 400,
  'Holdpoint.Http.Unauthenticated': 401,
  'Holdpoint.Http.Forbidden': 403,
  'Holdpoint.Answer.NotApprover': 403,
  'Holdpoint.Http.UnknownRoute': 404,
  'Holdpoint.Token.Unknown': 404,
  'Holdpoint.Run.NotFound': 404,
  'Holdpoint.Conversation.NotFound': 404,
  'Holdpoint.Answer.UnknownRequest': 404,
  'Holdpoint.Http.WrongMethod': 405,
  'Holdpoint.Answer.AlreadyAnswered': 409,
  'Holdpoint.Answer.DigestMismatch': 409,
  'Holdpoint.Conversation.Pending': 409,
  'Holdpoint.Token.Expired': 410,
  'Holdpoint.Answer.Expired': 410,
  'Holdpoint.Answer.RunClosed': 410,
  'Holdpoint.Run.Closed': 410,
  'Holdpoint.Conversation.Closed': 410,
  'Holdpoint.Http.TooLarge': 413,
  'Holdpoint.Answer.TooLarge': 413,
  'Holdpoint.Http.UnsupportedMediaType': 415,
  'Holdpoint.Answer.Invalid': 422,
  'Holdpoint.Answer.UnknownCall': 422,
  'Holdpoint.Answer.AnswerIdReused': 422,
  'Holdpoint.Run.InvalidInput': 422,
  'Holdpoint.Run.AlreadyExists': 422,
  'Holdpoint.Http.IdempotencyKeyReused': 422,
  'Holdpoint.Http.RateLimited': 429,
  'Holdpoint.Http.TooManyWaits': 429,
  'Holdpoint.Conversation.QueueFull': 429,
  'Holdpoint.Token.NoKey': 501,
  'Holdpoint.Http.Unavailable': 503,
  'Holdpoint.Client.Unreachable': 503,
  'Holdpoint.Client.WaitTimedOut': 503,
  'Holdpoint.Client.NoWorker': 503,
  'Holdpoint.Data.Unavailable': 503,
  'Holdpoint.Data.Unreadable': 503,
  'Holdpoint.Worker.MissingSearchAttributes': 503,
};

export type ProblemStatus = keyof typeof TITLES;

const TITLES = {
  400: 'Malformed request',
  401: 'No valid credential',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Wrong method',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Refused',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not set up',
  503: 'Unavailable',
} as const;

/** Seconds after which a 503 is worth another try. */
const RETRY_AFTER_S = 5;

/** A problem document (RFC 9457). `code` is the error's dotted type, which `type` spells as a URN. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: ProblemStatus;
  readonly detail: string;
  readonly code: string;
  /** What a program needs: see `docs/errors.md`. */
  readonly data?: JsonObject;
  /** With 409: what became of the answer that was first. */
  readonly receipt?: JsonObject;
}

/** The problem document for anything that was thrown. What is ours to know only, such as addresses, is left out. */
export function toProblem(error: unknown): Problem {
  const known = error instanceof HoldpointError ? publicError(error) : undefined;
  const status = known && STATUS[known.type];
  if (!known || status === undefined)
    return problemOf(500, 'Holdpoint.Http.Failed', 'The server failed. What was asked may not be done.');
  const { receipt, ...data } = known.data;
  return {
    ...problemOf(status, known.type, known.message),
    ...(Object.keys(data).length > 0 && { data }),
    ...(receipt !== undefined && { receipt: receipt as JsonObject }),
  };
}

function problemOf(status: ProblemStatus, code: ErrorType, detail: string): Problem {
  return { type: `urn:holdpoint:error:${code}`, title: TITLES[status], status, detail, code };
}

/** The response headers that go with a problem. */
export function problemHeaders({ status, data }: Problem): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  };
  if (status === 401) {
    const error = data?.['error'];
    headers['www-authenticate'] =
      `Bearer realm="holdpoint"${typeof error === 'string' ? `, error="${error}"` : ''}`;
  }
  const retryAfter =
    data?.['retryAfterSeconds'] ?? (status === 503 || status === 429 ? RETRY_AFTER_S : undefined);
  if (typeof retryAfter === 'number') headers['retry-after'] = String(retryAfter);
  const allow = data?.['allow'];
  if (status === 405 && typeof allow === 'string') headers['allow'] = allow;
  return headers;
}

/** The same error as its caller may see it. */
function publicError(error: HoldpointError): HoldpointError {
  const { type, data } = error;
  switch (type) {
    case 'Holdpoint.Run.NotFound':
    case 'Holdpoint.Conversation.NotFound':
      return new HoldpointError(
        type,
        'There is no such run or conversation, or it is not yours.',
        idsIn(data),
      );
    case 'Holdpoint.Client.InvalidOptions':
      if (data['workflowId'] !== undefined)
        return new HoldpointError(
          'Holdpoint.Run.NotFound',
          'There is no such run or conversation, or it is not yours.',
        );
      return data['address'] === undefined ? error : unavailable(error);
    case 'Holdpoint.Client.Unreachable':
    case 'Holdpoint.Client.WaitTimedOut':
    case 'Holdpoint.Client.NoWorker':
    case 'Holdpoint.Worker.MissingSearchAttributes':
      return unavailable(error);
    case 'Holdpoint.Data.Unavailable':
    case 'Holdpoint.Data.Unreadable':
      return new HoldpointError(
        type,
        'What the run says cannot be read by this server now. Tell whoever runs it.',
      );
    default:
      return error;
  }
}

function unavailable({ type, data }: HoldpointError): HoldpointError {
  const what = type === 'Holdpoint.Client.NoWorker' ? 'No worker' : 'Temporal, or a worker,';
  return new HoldpointError(
    type === 'Holdpoint.Client.InvalidOptions' ? 'Holdpoint.Client.Unreachable' : type,
    `${what} does not answer in time. What was asked may or may not have been done: ask again.`,
    idsIn(data),
  );
}

function idsIn({ runId, conversationId }: JsonObject): JsonObject {
  return { ...(runId !== undefined && { runId }), ...(conversationId !== undefined && { conversationId }) };
}
