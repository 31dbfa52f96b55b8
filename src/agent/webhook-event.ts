/**
 * What a run tells the world outside about itself, and the shapes in which `agentNotify` and its activities hand
 * it on.
 */
import { inputDigest } from './approval';
import { cutText } from './cut-text';
import type { ErrorInfo } from './errors';
import { jsonSize } from './json';
import type { Request } from './request';
import type { RunStatus } from './run-state';
import { without } from './without';

/** `run.done` ends a run that is `done` or `incomplete`, `run.failed` one that is `failed` or `cancelled`. */
export type WebhookEventType =
  'run.pending' | 'run.done' | 'run.failed' | 'request.reminder' | 'request.expired';

export const WEBHOOK_EVENT_TYPES: readonly WebhookEventType[] = [
  'run.pending',
  'run.done',
  'run.failed',
  'request.reminder',
  'request.expired',
];

/** Whose event it is. */
export interface WebhookRun {
  readonly runId: string;
  readonly workflowId: string;
  /** The chain's first execution: what capability tokens are bound to. */
  readonly executionId: string;
  readonly agent: string;
  readonly tenant?: string;
  readonly conversationId?: string;
}

/** A request as an event holds it. */
export interface WebhookRequest extends Request {
  /** It was too large: of `data` only a `digest` is left, and the prompt may be cut. It can be answered all the same. */
  readonly truncated?: true;
  /** With `truncated`: SHA-256 (hex) of the canonical JSON of all of `data`. */
  readonly dataDigest?: string;
}

/** Input of `agentNotify`: an event, before an endpoint's callback URLs are in it. Plain JSON. */
export interface WebhookEventDraft {
  readonly type: WebhookEventType;
  /** The same for each telling of this event, and for no other event. */
  readonly id: string;
  /** When it happened: an ISO instant. */
  readonly at: string;
  readonly run: WebhookRun;
  readonly status?: RunStatus;
  readonly requests?: readonly WebhookRequest[];
  readonly text?: string;
  readonly error?: ErrorInfo;
  /** The text was too long and is cut. */
  readonly truncated?: true;
}

/** Input of the activity `notifyTargets`, which gives the ids of the endpoints that want the event. */
export interface NotifyTargetsInput {
  readonly type: WebhookEventType;
  readonly agent: string;
  readonly tenant?: string;
}

/** Input of the activity `notify`: one event for one endpoint. */
export interface NotifyInput {
  readonly event: WebhookEventDraft;
  readonly endpointId: string;
}

/** The result of the activity `notify`: no further attempt would help. */
export type NotifyOutcome =
  { readonly is: 'delivered'; readonly status: number } | { readonly is: 'dropped'; readonly reason: string };

/** What became of an event at one endpoint. `failed`: it was tried for as long as events are. */
export type WebhookDelivery = { readonly endpointId: string } & (
  NotifyOutcome | { readonly is: 'failed'; readonly reason: string }
);

/** The result of `agentNotify`. */
export interface AgentNotifyOutcome {
  readonly eventId: string;
  readonly deliveries: readonly WebhookDelivery[];
}

/** A request whose JSON has more bytes is sent without its data. */
export const MAX_EVENT_REQUEST_BYTES = 65_536;
/** All requests of an event together: it travels once for each endpoint. */
export const MAX_EVENT_BYTES = 262_144;
const MAX_TEXT = 16_000;
const MAX_PROMPT = 4_000;
const MAX_URL = 2_048;
const MAX_DIGEST = 128;
const MAX_ERROR_MESSAGE = 2_000;

/** The event that tells of a run's end; `undefined` for a status that is none. */
export function endEventType(status: RunStatus): 'run.done' | 'run.failed' | undefined {
  switch (status) {
    case 'done':
    case 'incomplete':
      return 'run.done';
    case 'failed':
    case 'cancelled':
      return 'run.failed';
    case 'running':
    case 'pending':
      return undefined;
  }
}

/** An event's id; `seed` is the run's, `n` counts its events. */
export function webhookEventId(seed: string, n: number): string {
  return `evt_${seed}_${n}`;
}

/** The workflow that delivers the n-th event of a run. */
export function notifyWorkflowId(runId: string, n: number): string {
  return `${runId}/notify/${n}`;
}

/** The event in the size in which it travels: input of a child workflow, and once more for each endpoint. */
export function fittedEvent(event: WebhookEventDraft): WebhookEventDraft {
  const { requests, text, error } = event;
  const cut = text === undefined ? undefined : cutText(text, MAX_TEXT);
  return {
    ...event,
    ...(requests && { requests: fittedRequests(requests) }),
    ...(cut !== undefined && { text: cut }),
    ...(cut !== text && { truncated: true }),
    // An error's data may hold what only the run's own record should.
    ...(error && { error: { type: error.type, message: cutText(error.message, MAX_ERROR_MESSAGE) } }),
  };
}

function fittedRequests(requests: readonly WebhookRequest[]): WebhookRequest[] {
  let room = MAX_EVENT_BYTES;
  return requests.map((request) => {
    const fitted = jsonSize(request) <= Math.min(room, MAX_EVENT_REQUEST_BYTES) ? request : cutDown(request);
    room -= jsonSize(fitted);
    return fitted;
  });
}

/** Never larger than it was: the marks of a small request would be longer than what they stand for. */
function cutDown(request: WebhookRequest): WebhookRequest {
  const { data, prompt, url } = request;
  // An approval is decided by the digest of its arguments.
  const digest = data?.['digest'];
  const cut: WebhookRequest = {
    ...without(without(request, 'data'), 'url'),
    prompt: cutText(prompt, MAX_PROMPT),
    ...(url !== undefined && url.length <= MAX_URL && { url }),
    truncated: true,
    ...(typeof digest === 'string' && digest.length <= MAX_DIGEST && { data: { digest } }),
    ...(data !== undefined && { dataDigest: inputDigest(data) }),
  };
  return jsonSize(cut) < jsonSize(request) ? cut : request;
}
