import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { shownValue, unknownOptions } from '../tools/option-checks';
import { allowProblem } from '../webhooks/allow-list';
import { endpointsProblem } from '../webhooks/endpoint';
import type { WebhookOptions } from '../webhooks/options';

const OPTIONS: Readonly<Record<keyof WebhookOptions, true>> = {
  endpoints: true,
  allow: true,
  callback: true,
};

/** Refuses webhooks that could not be delivered. Throws `Holdpoint.Worker.InvalidOptions`, without a secret in it. */
export function checkWebhooks(webhooks: unknown): void {
  if (webhooks === undefined) return;
  const problem = webhooksProblem(webhooks);
  if (problem !== undefined) throw new HoldpointError('Holdpoint.Worker.InvalidOptions', problem);
}

function webhooksProblem(webhooks: unknown): string | undefined {
  if (!isRecord(webhooks)) return `Expected \`webhooks\` to be an object, got ${shownValue(webhooks)}.`;
  const unknown = unknownOptions(webhooks, Object.keys(OPTIONS), { owner: '`webhooks`' });
  if (unknown !== undefined) return unknown;
  const { endpoints, allow, callback } = webhooks;
  const badAllow = allow === undefined ? undefined : allowProblem(allow);
  if (badAllow !== undefined) return badAllow;
  if (callback !== undefined && typeof callback !== 'function')
    return `Expected \`webhooks.callback\` to be a function, got ${shownValue(callback)}.`;
  if (typeof endpoints === 'function') return undefined;
  return endpointsProblem(endpoints, (allow ?? []) as readonly string[]);
}
