import { Hono } from 'hono';
import { createHttpApi, type HttpApiOptions } from '../http/create-api';
import { createAuthenticator } from '../http/identity';
import { createLimits } from '../http/limits';
import type { FetchApp } from '../http/listen';
import { createInbox } from './create-inbox';

const INBOX = '/inbox';

/**
 * The HTTP API with the inbox beside it at `/inbox`, as `holdpoint serve` has them. Whoever opens the address itself is
 * sent to the inbox.
 *
 * ```ts
 * const config = await openConfig('holdpoint.config.json');
 * await listen(createHttpApp({ client, config }), { port: 7080, host: '127.0.0.1', config });
 * ```
 */
export function createHttpApp(options: Omit<HttpApiOptions, 'inboxPath'>): FetchApp {
  const { client, config, logger } = options;
  const { authenticate = createAuthenticator(config), limits = createLimits(config) } = options;
  const api = createHttpApi({ ...options, authenticate, limits, inboxPath: INBOX });
  const shared = { client, config, authenticate, limits, ...(logger && { logger }) };
  const inbox = createInbox({ ...shared, path: INBOX });
  const pages = new Hono().route(INBOX, inbox);
  pages.get('/', (c) => c.redirect(INBOX));
  return {
    fetch(request, env) {
      const { pathname } = new URL(request.url);
      const isPage = pathname === '/' || pathname === INBOX || pathname.startsWith(`${INBOX}/`);
      return isPage ? pages.fetch(request, env) : api.fetch(request, env);
    },
  };
}
