import { isRecord } from '../agent/json';
import { WEBHOOK_EVENT_TYPES, type NotifyTargetsInput } from '../agent/webhook-event';
import type { WebhookEndpoint } from '../config/config';
import { urlProblem } from './address-guard';
import { secretsProblem } from './sign';

export type { WebhookEndpoint } from '../config/config';

const FIELDS: Readonly<Record<keyof WebhookEndpoint, true>> = {
  id: true,
  url: true,
  secrets: true,
  events: true,
  tenant: true,
  agents: true,
};

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether the endpoint is to be told of such an event. One without a tenant hears of no tenant's runs. */
export function wants(endpoint: WebhookEndpoint, { type, agent, tenant }: NotifyTargetsInput): boolean {
  const { events, agents } = endpoint;
  return (
    (events === undefined || events.includes(type)) &&
    (agents === undefined || agents.includes(agent)) &&
    endpoint.tenant === tenant
  );
}

/** Says what is wrong with a list of endpoints, without a secret or a URL in it; `undefined` when nothing is. */
export function endpointsProblem(value: unknown, allow: readonly string[] = []): string | undefined {
  if (!Array.isArray(value)) return 'Expected the webhook endpoints to be an array.';
  const ids = new Set<unknown>();
  for (const [index, endpoint] of (value as readonly unknown[]).entries()) {
    const problem = endpointProblem(endpoint, allow);
    if (problem !== undefined) return `Webhook endpoint ${nameOf(endpoint, index)}: ${problem}`;
    const id = isRecord(endpoint) ? endpoint['id'] : undefined;
    if (ids.has(id))
      return `Two webhook endpoints are named ${nameOf(endpoint, index)}. Give each its own id.`;
    ids.add(id);
  }
  return undefined;
}

function endpointProblem(value: unknown, allow: readonly string[]): string | undefined {
  if (!isRecord(value)) return 'expected an object with `id`, `url` and `secrets`.';
  const unknown = Object.keys(value).filter((key) => !(key in FIELDS));
  if (unknown.length > 0)
    return `unknown option \`${unknown.join('`, `')}\`. The options are ${Object.keys(FIELDS).join(', ')}.`;
  const { id, url, secrets, events, tenant, agents } = value;
  if (typeof id !== 'string' || !ID.test(id))
    return 'expected `id` to be 1 to 64 letters, digits, `-` and `_`.';
  if (typeof url !== 'string') return 'expected `url` to be a string.';
  const badUrl = urlProblem(url, allow);
  if (badUrl !== undefined) return badUrl;
  const badSecret = secretsProblem(secrets);
  if (badSecret !== undefined) return badSecret;
  if (events !== undefined && !isListOf(events, WEBHOOK_EVENT_TYPES))
    return `expected \`events\` to be a list of ${WEBHOOK_EVENT_TYPES.join(', ')}.`;
  if (tenant !== undefined && (typeof tenant !== 'string' || tenant === ''))
    return 'expected `tenant` to be a non-empty string.';
  if (agents !== undefined && !isListOf(agents)) return 'expected `agents` to be a list of names of agents.';
  return undefined;
}

function isListOf(value: unknown, known?: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && (known === undefined || known.includes(item)))
  );
}

function nameOf(endpoint: unknown, index: number): string {
  const id = isRecord(endpoint) ? endpoint['id'] : undefined;
  return typeof id === 'string' && ID.test(id) ? `"${id}"` : `number ${index + 1}`;
}
