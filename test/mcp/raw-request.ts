/** The `_meta` that every request of revision 2026-07-28 has. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What a request is made of, where it is not what a client would send. */
export interface RawRequest {
  readonly method?: string;
  readonly params?: object;
  /** In place of the whole `_meta`; `undefined` leaves it out. */
  readonly meta?: unknown;
  readonly id?: string | number;
  /** Beside the usual ones, or in their place; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A request for a server of this process, as no client of ours would send it. */
export function rawRequest({ method = 'tools/call', params = {}, id = 1, ...given }: RawRequest): Request {
  const meta = 'meta' in given ? given.meta : ENVELOPE;
  const name = 'name' in params && typeof params.name === 'string' ? params.name : undefined;
  const headers = new Headers({
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    // As HTTP carries what it cannot say in a header.
    ...(name !== undefined && {
      'mcp-name': /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`,
    }),
  });
  for (const [field, value] of Object.entries(given.headers ?? {})) {
    if (value === null) headers.delete(field);
    else headers.set(field, value);
  }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, ...(meta !== undefined && { _meta: meta }) },
    }),
  });
}

/** A reply's status and its message, whichever way it came. */
export async function readReply(
  response: Response,
): Promise<{ readonly status: number; readonly message: unknown }> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? (/^data: (\{.*\})$/m.exec(text)?.[1] ?? 'null')
    : text;
  return { status: response.status, message: JSON.parse(json === '' ? 'null' : json) as unknown };
}
