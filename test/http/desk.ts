import { isRecord } from '../../src/agent/json';
import { newApiKey } from '../../src/config/api-key';
import type { ApiKeyEntry, Config, ConfigSource } from '../../src/config/config';
import { SCOPES } from '../../src/config/config';
import { parseConfig } from '../../src/config/read-config';
import { createHttpApi, type HttpApiOptions } from '../../src/http/create-api';
import type { HttpApp } from '../../src/http/services';
import { listen, type ListeningServer } from '../../src/http/listen';
import { calls, openDesk, type Desk } from '../client/desk';

/** The API over a desk, and keys to call it with. */
export interface HttpDesk {
  readonly desk: Desk;
  readonly api: HttpApp;
  /** Changes count from the next request on. */
  readonly config: { current: Config };
  /** A new key; default: every scope and no tenant. */
  key(entry?: Partial<ApiKeyEntry>): string;
  /** A request to the application, without a port. */
  call(path: string, options?: CallOptions): Promise<HttpReply>;
  /** A server of the application on a port of its own; closed with the desk. */
  serve(): Promise<ListeningServer>;
  /** Another API over the same desk and configuration. */
  another(options: Partial<HttpApiOptions>): HttpApp;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  /** Sent as JSON; a POST is the default then. */
  readonly body?: unknown;
  /** The key; default: one that may do everything. `null` sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly api?: HttpApp;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `{}` where it is none. */
  readonly json: Readonly<Record<string, unknown>>;
}

export const SIGNING = { id: 'first', secret: Buffer.alloc(32, 7).toString('base64') };

export function configOf(file: object = {}): Config {
  return parseConfig(JSON.stringify({ signingKeys: [SIGNING], ...file }), 'test.json', {});
}

export async function openHttpDesk(
  options: Partial<HttpApiOptions> = {},
  desk?: Desk,
  file: object = {},
): Promise<HttpDesk> {
  const own = desk ?? (await openDesk());
  const config: { current: Config } = { current: configOf(file) };
  const another = (more: Partial<HttpApiOptions>): HttpApp =>
    createHttpApi({ client: own.client, config: config satisfies ConfigSource, ...options, ...more });
  const api = another({});
  const servers: ListeningServer[] = [];
  const key = (entry: Partial<ApiKeyEntry> = {}): string => {
    const made = newApiKey({ name: 'tester', scopes: SCOPES, roles: [], ...entry });
    config.current = { ...config.current, keys: [...config.current.keys, made.entry] };
    return made.key;
  };
  const full = key();
  return {
    desk: own,
    api,
    config,
    key,
    another,
    async call(path, { method, body, key: used = full, headers = {}, api: called = api } = {}) {
      const response = await called.request(path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(used !== null && { authorization: `Bearer ${used}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return toReply(response);
    },
    async serve() {
      const server = await listen(api, { port: 0, host: '127.0.0.1', config, graceMs: 500 });
      servers.push(server);
      return server;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await own.close();
    },
  };
}

export async function toReply(response: Response): Promise<HttpReply> {
  const text = await response.text();
  let json: unknown = {};
  try {
    json = JSON.parse(text);
  } catch {
    // A page, or nothing.
  }
  return { status: response.status, headers: response.headers, text, json: isRecord(json) ? json : {} };
}

/** A run that has halted, by the API: with calls of these ids to relay. */
export async function halt(
  http: HttpDesk,
  {
    ids = ['a'],
    ...options
  }: CallOptions & { readonly ids?: readonly string[]; readonly runId?: string } = {},
): Promise<{ readonly runId: string; readonly requestId: string }> {
  const { runId, ...call } = options;
  const { json, text } = await http.call('/v1/runs', {
    ...call,
    body: {
      agent: 'desk',
      input: http.desk.play([calls(...ids), { content: 'Done.' }]),
      ...(runId && { runId }),
    },
    headers: { prefer: 'wait=30' },
  });
  const { pending } = json;
  if (!isRecord(pending)) throw new Error(`Expected a halt, got ${text}`);
  return { runId: String(json['runId']), requestId: String(pending['id']) };
}
