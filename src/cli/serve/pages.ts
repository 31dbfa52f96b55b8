import { Hono } from 'hono';
import { createInbox } from '../../inbox/create-inbox';
import type { InboxOptions } from '../../inbox/options';
import type { FetchApp } from '../../http/listen';

const INBOX = '/inbox';

/** The API, with the inbox beside it. Whoever opens the address itself is looking for that. */
export function withInbox(api: FetchApp, options: Omit<InboxOptions, 'path'>): FetchApp {
  const inbox = new Hono().route(INBOX, createInbox({ ...options, path: INBOX }));
  inbox.get('/', (c) => c.redirect(INBOX));
  return {
    fetch(request, env) {
      const { pathname } = new URL(request.url);
      const isPage = pathname === '/' || pathname === INBOX || pathname.startsWith(`${INBOX}/`);
      return isPage ? inbox.fetch(request, env) : api.fetch(request, env);
    },
  };
}
