import { ApplicationFailure, Context } from '@temporalio/activity';
import type { ErrorType } from '../agent/errors';
import type { NotifyInput, NotifyOutcome, NotifyTargetsInput } from '../agent/webhook-event';
import { retryAfterMs } from '../models/retry-after';
import { deliver } from '../webhooks/deliver';
import { wants } from '../webhooks/endpoint';
import { eventBody } from '../webhooks/event';
import type { Webhooks } from '../webhooks/options';
import { secretsProblem, webhookIdOf } from '../webhooks/sign';
import { retryDelayMs } from './notify-delay';
import type { Services } from './services';

const NOT_DELIVERED: ErrorType = 'Holdpoint.Webhook.NotDelivered';

/** The activity `notifyTargets`: the ids of the endpoints that want such an event, as configured now. */
export function createNotifyTargets(
  services: Services,
): (input: NotifyTargetsInput) => Promise<readonly string[]> {
  return async (input) =>
    webhooksOf(services)
      .endpoints()
      .filter((endpoint) => wants(endpoint, input))
      .map(({ id }) => id);
}

/**
 * The activity `notify`: one attempt to tell one endpoint of an event. Its failure means that another attempt may
 * help, and says when; what ends the matter is its result.
 */
export function createNotify(services: Services): (input: NotifyInput) => Promise<NotifyOutcome> {
  return async ({ event, endpointId }) => {
    const { log, cancellationSignal: signal } = Context.current();
    const webhooks = webhooksOf(services);
    const dropped = (reason: string): NotifyOutcome => {
      log.warn(`Webhook dropped: ${reason}`, { endpointId, eventId: event.id, eventType: event.type });
      return { is: 'dropped', reason };
    };
    const endpoint = webhooks.endpoints().find(({ id }) => id === endpointId);
    if (!endpoint) return dropped('the endpoint is no longer configured');
    const { allow, resolve, callback } = webhooks;
    const problem = secretsProblem(endpoint.secrets);
    // Somebody is at work on the configuration, and will see what is wrong.
    if (problem !== undefined) throw notDelivered(endpointId, problem);
    const { agent, tenant } = event.run;
    // Days may have passed: the id may be another's by now.
    if (!wants(endpoint, { type: event.type, agent, ...(tenant !== undefined && { tenant }) }))
      return dropped('the endpoint is no longer to hear of such events');
    const body = await eventBody(event, callback).catch(() => {
      // What a callback throws is not ours to show: it handles keys.
      throw notDelivered(endpointId, 'the callback URL of a request could not be made');
    });
    const webhookId = webhookIdOf(event.id, endpointId);
    const outcome = await deliver(
      endpoint,
      { webhookId, body },
      { allow, signal, ...(resolve && { resolve }) },
    );
    switch (outcome.is) {
      case 'delivered':
        return outcome;
      case 'drop':
        return dropped(outcome.reason);
      case 'retry':
        throw notDelivered(endpointId, outcome.reason, outcome.retryAfter);
    }
  };
}

/** A worker without webhooks beside others that have them: one of those takes the next attempt. */
function webhooksOf({ webhooks }: Services): Webhooks {
  if (webhooks) return webhooks;
  throw ApplicationFailure.create({
    type: NOT_DELIVERED,
    message:
      'This worker has no webhooks. Give all workers of a task queue the same `webhooks`; this is tried again.',
    nonRetryable: false,
  });
}

function notDelivered(endpointId: string, reason: string, retryAfter?: string): ApplicationFailure {
  const asked =
    retryAfter === undefined
      ? undefined
      : retryAfterMs({ get: (name) => (name === 'retry-after' ? retryAfter : null) }, Date.now());
  return ApplicationFailure.create({
    type: NOT_DELIVERED,
    message: `Webhook endpoint ${endpointId} was not told: ${reason}. This is tried again for up to three days.`,
    nonRetryable: false,
    nextRetryDelay: retryDelayMs(Context.current().info.attempt, asked),
    details: [{ endpointId }],
  });
}
