import { Hono } from 'hono';
import { newApiKey } from '../../src/config/api-key';
import type { ApiKeyEntry, Config } from '../../src/config/config';
import { createAuthenticator } from '../../src/http/identity';
import { listen } from '../../src/http/listen';
import { createInbox } from '../../src/inbox/create-inbox';
import type { InboxOptions } from '../../src/inbox/options';
import { configOf } from '../http/desk';

export interface InboxServer {
  readonly url: string;
  readonly app: Hono;
  /** Changes count from the next request on. */
  readonly config: { current: Config };
  /** What went wrong on the server's side so far. */
  readonly faults: string[];
  /** The key of one of the people below. */
  keyOf(name: string): string;
  close(): Promise<void>;
}

const PEOPLE: readonly (Partial<ApiKeyEntry> & Pick<ApiKeyEntry, 'name'>)[] = [
  { name: 'ana' },
  { name: 'ben' },
  { name: 'fay', roles: ['finance'] },
  { name: 'rita', scopes: ['requests:read'] },
  { name: 'sam', scopes: ['runs:write'] },
  { name: 'tina', tenant: 'acme' },
];

/** An application with the inbox in it, and keys for people. */
export function inboxApp(options: Pick<InboxOptions, 'client'> & Partial<InboxOptions>, file: object = {}) {
  const made = PEOPLE.map((person) =>
    newApiKey({ scopes: ['requests:read', 'requests:answer'], roles: [], ...person }),
  );
  const config = { current: { ...configOf(file), keys: made.map(({ entry }) => entry) } };
  const faults: string[] = [];
  const logger = { warn: () => undefined, error: (_: object, message: string) => void faults.push(message) };
  const inbox = createInbox({ config, authenticate: createAuthenticator(config), logger, ...options });
  const keyOf = (name: string): string => {
    const key = made.find(({ entry }) => entry.name === name)?.key;
    if (key === undefined) throw new Error(`Nobody is called ${name}`);
    return key;
  };
  return { app: new Hono().route('/inbox', inbox), config, faults, keyOf };
}

/** The same on a port of its own. */
export async function openInbox(
  options: Pick<InboxOptions, 'client'> & Partial<InboxOptions>,
  file: object = {},
): Promise<InboxServer> {
  const made = inboxApp(options, file);
  const server = await listen(made.app, { port: 0, host: '127.0.0.1', config: made.config, graceMs: 0 });
  return { ...made, url: `${server.url}/inbox`, close: () => server.close() };
}
