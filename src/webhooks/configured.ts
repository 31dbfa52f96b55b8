import type { ConfigSource } from '../config/config';
import { answerLink } from '../tokens/answer-link';
import type { WebhookOptions } from './options';

/**
 * The webhooks of a configuration: endpoints and keys are those of each moment, `allow` those of the worker's start. Events
 * hold links to answer with where the configuration has `publicUrl` and a signing key when the worker starts.
 *
 * ```ts
 * const config = await openConfig('holdpoint.config.json');
 * const worker = await createWorker({ agents, webhooks: configuredWebhooks(config) });
 * ```
 */
export function configuredWebhooks(config: ConfigSource): WebhookOptions {
  const { publicUrl, signingKeys, webhooks } = config.current;
  const signs = publicUrl !== undefined && signingKeys.some(({ verifyOnly }) => !verifyOnly);
  return {
    endpoints: () => config.current.webhooks.endpoints,
    allow: webhooks.allow,
    ...(signs && {
      callback: (request, { run, at }) =>
        answerLink(config, {
          runId: run.runId,
          firstExecutionId: run.executionId,
          request,
          at: Date.parse(at),
          ...(run.tenant !== undefined && { tenant: run.tenant }),
        }),
    }),
  };
}
