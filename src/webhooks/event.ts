import type { ErrorInfo } from '../agent/errors';
import type { RunStatus } from '../agent/run-state';
import { ownId } from '../agent/tenant';
import type { WebhookEventDraft, WebhookEventType, WebhookRequest } from '../agent/webhook-event';
import type { WebhookCallback } from './options';

/** The body of a webhook. */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  /** When it happened, not when it is told: an ISO instant. */
  readonly timestamp: string;
  readonly data: WebhookEventData;
}

/** What an event is about. Fields may be added. */
export interface WebhookEventData {
  /** The same at every endpoint. */
  readonly eventId: string;
  readonly runId: string;
  readonly agent: string;
  readonly tenant?: string;
  readonly conversationId?: string;
  readonly status?: RunStatus;
  /** Those that the event is about; with `run.pending` those that have opened since the last one. */
  readonly requests?: readonly TargetedRequest[];
  /** What the run said last. */
  readonly text?: string;
  readonly error?: ErrorInfo;
  /** The text is cut. */
  readonly truncated?: true;
}

/** A request with what it takes to answer it. */
export interface TargetedRequest extends WebhookRequest {
  /**
   * Post an answer there. Absent where the worker has no `callback`, where it says that none can do it, and once the
   * request has expired.
   */
  readonly callbackUrl?: string;
}

/** The body that tells of an event: equal drafts give equal text, as far as `callback` does. */
export async function eventBody(draft: WebhookEventDraft, callback?: WebhookCallback): Promise<string> {
  const { type, id, at, run, status, requests, text, error, truncated } = draft;
  const { runId, agent, tenant, conversationId } = run;
  const open = type === 'run.pending' || type === 'request.reminder';
  const event: WebhookEvent = {
    type,
    timestamp: at,
    data: {
      eventId: id,
      // As its tenant's own keys know it.
      runId: ownId(runId, tenant),
      agent,
      ...(tenant !== undefined && { tenant }),
      ...(conversationId !== undefined && { conversationId: ownId(conversationId, tenant) }),
      ...(status !== undefined && { status }),
      ...(requests && { requests: await targeted(draft, requests, open ? callback : undefined) }),
      ...(text !== undefined && { text }),
      ...(error && { error }),
      ...(truncated && { truncated }),
    },
  };
  return JSON.stringify(event);
}

async function targeted(
  { run, at }: WebhookEventDraft,
  requests: readonly WebhookRequest[],
  callback: WebhookCallback | undefined,
): Promise<readonly TargetedRequest[]> {
  if (!callback) return requests;
  return Promise.all(
    requests.map(async (request) => {
      const callbackUrl = await callback(request, { run, at });
      return { ...request, ...(callbackUrl !== undefined && { callbackUrl }) };
    }),
  );
}
