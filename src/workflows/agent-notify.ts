import { ApplicationFailure } from '@temporalio/common';
import { isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import { errorMessage } from '../agent/errors';
import { isRecord, jsonSize } from '../agent/json';
import {
  fittedEvent,
  type AgentNotifyOutcome,
  type NotifyInput,
  type NotifyOutcome,
  type NotifyTargetsInput,
  type WebhookDelivery,
  type WebhookEventDraft,
} from '../agent/webhook-event';
import { causeOf } from './activity-failure';

interface Activities {
  readonly notifyTargets: (input: NotifyTargetsInput) => Promise<readonly string[]>;
  readonly notify: (input: NotifyInput) => Promise<NotifyOutcome>;
}

/** For how long an event is news. */
const TRIED_FOR = '3 days';
/** One step of a workflow may send the server 4 MB. */
const MAX_STEP_BYTES = 1_500_000;

const { notifyTargets } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: TRIED_FOR,
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});
const { notify } = proxyActivities<Activities>({
  // An attempt has ten seconds; the rest is for finding out where the callbacks are.
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: TRIED_FOR,
  // After a failed attempt the activity itself says how long to wait; this is for a lost worker.
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '6 hours' },
});

/**
 * Tells every endpoint that wants it of one event, each for itself: one that is away holds up no other. Endpoints
 * hear of a run's events in no particular order. It completes whatever becomes of the deliveries.
 */
export async function agentNotify(input: WebhookEventDraft): Promise<AgentNotifyOutcome> {
  const event = fittedEvent(checked(input));
  const { type, run } = event;
  const { agent, tenant } = run;
  const targets = await notifyTargets({ type, agent, ...(tenant !== undefined && { tenant }) });
  const bytes = jsonSize(event);
  const perStep = Math.max(1, Math.floor(MAX_STEP_BYTES / bytes));
  const deliveries: Promise<WebhookDelivery>[] = [];
  for (const [index, endpointId] of targets.entries()) {
    if (index > 0 && index % perStep === 0) await sleep(1);
    deliveries.push(deliver({ event, endpointId }));
  }
  return { eventId: event.id, deliveries: await Promise.all(deliveries) };
}

async function deliver(input: NotifyInput): Promise<WebhookDelivery> {
  const { endpointId } = input;
  try {
    return { endpointId, ...(await notify(input)) };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { endpointId, is: 'failed', reason: errorMessage(causeOf(error)) };
  }
}

/** Whoever starts it by hand may get it wrong; its activities rely on these fields. */
function checked(input: unknown): WebhookEventDraft {
  if (isEvent(input)) return input;
  throw ApplicationFailure.create({
    type: 'Holdpoint.Run.InvalidInput',
    message: 'Expected an event to tell of, {type, id, at, run, …}.',
    nonRetryable: true,
  });
}

function isEvent(input: unknown): input is WebhookEventDraft {
  if (!isRecord(input) || typeof input['id'] !== 'string') return false;
  const { run, requests } = input;
  const about = isRecord(run) && typeof run['agent'] === 'string';
  return about && (requests === undefined || Array.isArray(requests));
}
