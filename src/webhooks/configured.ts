import { quorumOf } from '../agent/policy';
import type { WebhookRequest, WebhookRun } from '../agent/webhook-event';
import type { Config, ConfigSource } from '../config/config';
import { answerLink } from '../tokens/answer-link';
import type { WebhookOptions } from './options';

/**
 * The webhooks of a configuration: endpoints and keys are those of each moment, `allow` those of the worker's start. An
 * event holds a link to answer with where the configuration has `publicUrl` and a signing key at that moment, and a link
 * could do it.
 *
 * ```ts
 * const config = await openConfig('holdpoint.config.json');
 * const worker = await createWorker({ agents, webhooks: configuredWebhooks(config) });
 * ```
 */
export function configuredWebhooks(config: ConfigSource): WebhookOptions {
  return {
    endpoints: () => config.current.webhooks.endpoints,
    allow: config.current.webhooks.allow,
    callback: (request, { run, at }) =>
      canSign(config.current) && (takesAnybody(request) || takesASender(config.current, request, run))
        ? answerLink(config, {
            runId: run.runId,
            firstExecutionId: run.executionId,
            request,
            at: Date.parse(at),
            ...(run.tenant !== undefined && { tenant: run.tenant }),
          })
        : undefined,
  };
}

function canSign({ publicUrl, signingKeys }: Config): boolean {
  return publicUrl !== undefined && signingKeys.some(({ verifyOnly }) => !verifyOnly);
}

/** The link of an event names nobody: it is enough only where it does not matter who answers. */
function takesAnybody({ policy }: WebhookRequest): boolean {
  return policy?.approvers === undefined && quorumOf(policy) === 1;
}

/** A machine may sign what it posts to the link, and then answers in its own name, now or once it is escalated to. */
function takesASender({ webhooks }: Config, { policy }: WebhookRequest, { tenant }: WebhookRun): boolean {
  const names = policy?.approvers && [...policy.approvers, ...(policy.escalateTo ?? [])];
  return webhooks.incoming
    .filter((sender) => sender.tenant === tenant)
    .some(({ by, roles }) => !names || [`webhook:${by}`, ...roles].some((name) => names.includes(name)));
}
