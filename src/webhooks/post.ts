import type { LookupFunction } from 'node:net';
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';

/** What is read of a response, at most; the rest is cut off. */
const MAX_BODY_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;

export interface Posted {
  readonly status: number;
  readonly retryAfter?: string;
}

/**
 * Sends one POST and gives its status; the response's body is read a little and thrown away. No redirect is
 * followed, no proxy used, no connection kept. Rejects when there is no response before `signal` aborts.
 */
export function post(
  url: URL,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly lookup: LookupFunction;
    readonly signal: AbortSignal;
  },
): Promise<Posted> {
  const { headers, body, lookup, signal } = options;
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const init: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // An agent of its own: the shared one may have been given a proxy.
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      lookup,
      signal,
    };
    const sent = request(url, init, (response) => {
      const posted = toPosted(response);
      // The status is the answer; how the body ends does not matter.
      sent.off('error', reject).on('error', () => undefined);
      drain(response, () => resolve(posted));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function toPosted({ statusCode = 0, headers }: IncomingMessage): Posted {
  const retryAfter = headers['retry-after'];
  return { status: statusCode, ...(retryAfter !== undefined && { retryAfter }) };
}

function drain(response: IncomingMessage, done: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', done);
}
