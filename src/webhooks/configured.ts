import type { ConfigSource } from '../config/config';
import { answerLink } from '../tokens/answer-link';
import type { WebhookOptions } from './options';

/**
 * The webhooks of a configuration: endpoints and keys are those of each moment, `allow` those of the worker's start.
 * Events hold links to answer with while the configuration has `publicUrl` and a signing key.
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
    callback(request, { run, at }) {
      const { publicUrl, signingKeys } = config.current;
      if (publicUrl === undefined || signingKeys.every(({ verifyOnly }) => verifyOnly)) return undefined;
      return answerLink(config, {
        runId: run.runId,
        firstExecutionId: run.executionId,
        request,
        at: Date.parse(at),
        ...(run.tenant !== undefined && { tenant: run.tenant }),
      });
    },
  };
}
