import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createInbox } from '../../src/inbox/create-inbox';
import type { Identity } from '../../src/inbox/identity';
import type { InboxOptions } from '../../src/inbox/options';

export interface InboxServer {
  readonly url: string;
  /** What went wrong on the server's side so far. */
  readonly faults: unknown[];
  close(): Promise<void>;
}

/** Keys of a test's people: the key is the name. */
export const PEOPLE: Readonly<Record<string, Identity>> = {
  'ana-key': person('ana'),
  'ben-key': person('ben'),
  'reader-key': { ...person('rita'), scopes: ['requests:read'] },
  'stranger-key': { ...person('sam'), scopes: [] },
};

function person(subject: string): Identity {
  return { subject, roles: [], scopes: ['requests:read', 'requests:answer'], via: 'key' };
}

export const SECRET = 'a secret of the tests, long enough for a key';

/** An inbox on a port of its own, with the people above. */
export async function openInbox(
  options: Pick<InboxOptions, 'client'> & Partial<InboxOptions>,
): Promise<InboxServer> {
  const faults: unknown[] = [];
  const app = new Hono().route(
    '/inbox',
    createInbox({
      authenticate: (headers) => PEOPLE[(headers.get('authorization') ?? '').replace('Bearer ', '')],
      sessionSecrets: [SECRET],
      onError: (error) => faults.push(error),
      ...options,
    }),
  );
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/inbox`,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
