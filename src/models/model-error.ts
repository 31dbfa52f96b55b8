import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { retryAfterMs, type HeaderReader } from './retry-after';
import { scrub } from './scrub';

/** The statuses that are worth another request (R37). */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/** The failure text of a workflow is cut at 4 kB; a provider may send a whole HTML page. */
const MAX_REASON_LENGTH = 500;
const MAX_READ_LENGTH = 16_000;

/** What a provider's answer says of a failure. `type` and `code` are the provider's own words. */
export interface StatusFault {
  readonly status: number;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/**
 * Whether another request may help: the one place that decides (R37). Statuses of the list, transport errors,
 * timeouts and answers that cannot be read are retried; everything else is final.
 */
export function isRetriedModelError(error: HoldpointError): boolean {
  if (error.type === 'Holdpoint.Model.TimedOut' || error.type === 'Holdpoint.Model.InvalidResponse')
    return true;
  if (error.type !== 'Holdpoint.Model.Failed') return false;
  const { status } = error.data;
  return status === undefined || (typeof status === 'number' && RETRIED_STATUSES.has(status));
}

/** An answer with a failure status: `Failed` where it is retried, otherwise `Rejected`. */
export function statusError(fault: StatusFault, secrets: readonly string[] = []): HoldpointError {
  const { status } = fault;
  const type = word(fault.type, secrets);
  const code = word(fault.code, secrets);
  const detail = code ?? type;
  return new HoldpointError(
    RETRIED_STATUSES.has(status) ? 'Holdpoint.Model.Failed' : 'Holdpoint.Model.Rejected',
    `The model provider answered ${status}${detail === undefined ? '' : ` (${detail})`}: ` +
      `${reason(fault.message, secrets)} ${remedy(status)}`,
    {
      status,
      ...(type !== undefined && { type }),
      ...(code !== undefined && { code }),
      ...(fault.retryAfterMs !== undefined && { retryAfterMs: fault.retryAfterMs }),
    },
  );
}

/**
 * No answer came, or it broke off. The thrown error is not kept as the cause: a package's errors hold the
 * request, with the key in its headers (R37).
 */
export function transportError(
  provider: string,
  thrown: unknown,
  secrets: readonly string[] = [],
): HoldpointError {
  const root = rootCause(thrown);
  return new HoldpointError(
    'Holdpoint.Model.Failed',
    `No answer came from ${provider}: ${reason(errorMessage(root), secrets)} ` +
      'Check the address, the network and the provider.',
    isRecord(root) && typeof root['code'] === 'string' ? { code: scrub(root['code'], secrets) } : {},
  );
}

/**
 * Anything that a model threw, as a model error. An error of a provider's package is read by its numeric
 * `status` and its `headers`; anything else counts as a transport error, and so is retried.
 */
export function toModelError(thrown: unknown, now: number = Date.now()): HoldpointError {
  if (thrown instanceof HoldpointError) return thrown;
  if (!isRecord(thrown) || typeof thrown['status'] !== 'number')
    return transportError('the model provider', thrown);
  const { status, type, code, headers } = thrown;
  const wait = isHeaderReader(headers) ? retryAfterMs(headers, now) : undefined;
  return statusError({
    status,
    type,
    code,
    message: errorMessage(thrown),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

function remedy(status: number): string {
  if (status === 401 || status === 403)
    return 'Check the API key and what it may use; the request is not repeated.';
  if (status === 404) return "Check the model's name and the base URL; the request is not repeated.";
  if (status === 413) return 'The request is too large; it is not repeated.';
  if (status === 429) return 'Slow down, or raise the limit of the account.';
  return RETRIED_STATUSES.has(status)
    ? 'This may pass.'
    : 'The request itself has to change; it is not repeated.';
}

/** A provider's own type or code, fit for `data`. */
function word(value: unknown, secrets: readonly string[]): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? scrub(value, secrets).slice(0, 100) : undefined;
}

function reason(message: string, secrets: readonly string[]): string {
  const text = scrub(message.slice(0, MAX_READ_LENGTH), secrets).trim();
  // Cut after scrubbing: half a key would no longer look like one.
  const cut = text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

/** `fetch failed` says nothing; what the socket said is at the end of the chain. */
function rootCause(thrown: unknown): unknown {
  let current = thrown;
  for (let depth = 0; depth < 8 && current instanceof Error && current.cause !== undefined; depth += 1)
    current = current.cause;
  return current;
}

function isHeaderReader(value: unknown): value is HeaderReader {
  return isRecord(value) && typeof value['get'] === 'function';
}
