import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config';
import type { LiveConfig } from '../config/live-config';

/** Where it is told what has become of the webhooks. */
export interface WebhookLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Why events hold no links to answer with; `undefined` where they do, or where there is nobody to tell of events. */
export function missingLinks({ publicUrl, signingKeys, webhooks }: Config): string | undefined {
  if (webhooks.endpoints.length === 0) return undefined;
  const missing = [
    ...(publicUrl === undefined ? ['`publicUrl`, where people reach `holdpoint serve`'] : []),
    ...(signingKeys.some(({ verifyOnly }) => !verifyOnly)
      ? []
      : ['a signing key, which `holdpoint keys signing` makes']),
  ];
  if (missing.length === 0) return undefined;
  return `Webhook endpoints are configured, but their events hold no links to answer with: the configuration lacks ${missing.join(', and ')}.`;
}

/** Tells what is missing now, and from then on what changes. */
export function watchWebhooks(config: LiveConfig, logger: WebhookLogger): void {
  let before = config.current;
  const first = missingLinks(before);
  if (first !== undefined) logger.warn({}, first);
  config.onChange((now) => {
    const { endpoints, allow } = now.webhooks;
    if (!isDeepStrictEqual(endpoints, before.webhooks.endpoints)) {
      const ids = endpoints.map(({ id }) => id);
      logger.info(
        { endpoints: ids },
        `The webhooks have changed: ${ids.join(', ') || 'there are none now'}.`,
      );
    }
    if (!isDeepStrictEqual(allow, before.webhooks.allow))
      logger.warn({}, '`webhooks.allow` has changed. A worker heeds that from its next start on.');
    const missing = missingLinks(now);
    if (missing !== undefined && missing !== missingLinks(before)) logger.warn({}, missing);
    before = now;
  });
}
