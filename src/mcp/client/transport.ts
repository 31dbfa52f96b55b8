import { Readable } from 'node:stream';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { lastOutput } from './last-output';
import { endingWithProcess } from './process-end';
import { UnusableResult } from './remote-result';

/** How a server is reached. A function makes a transport of the MCP SDK for each connection. */
export type McpTransport =
  | { readonly type: 'http'; readonly url: string }
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      /** Added to the few variables that every program needs. Default: none. */
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /**
       * What becomes of what it writes to standard error. `keep`: the last 2 kB become part of the error, and so of the
       * history of a run, when it cannot be reached or ends in the middle of a call; they are the server's own words, and a
       * server that writes secrets there needs another choice. `inherit`: it goes where this process writes its own.
       * Default: `keep`.
       */
      readonly stderr?: 'keep' | 'inherit' | 'ignore';
    }
  | (() => Transport);

/**
 * Gives the headers that prove who calls, such as `{ authorization: 'Bearer …' }`. Asked for each HTTP request,
 * where the request is made; kept nowhere.
 */
export type Credentials = () => HeaderFields | Promise<HeaderFields>;

/** Headers by their names. */
export type HeaderFields = Readonly<Record<string, string>>;

/** What one message of a server may have, in bytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A transport, and what the server behind it has said besides. */
export interface OpenTransport {
  readonly transport: Transport;
  /** The end of what a process wrote to standard error, where it is kept. */
  readonly output: () => string;
}

/** A new transport, not yet connected. */
export function openTransport(given: McpTransport, credentials?: Credentials): OpenTransport {
  if (typeof given === 'function') return { transport: given(), output: () => '' };
  return given.type === 'stdio'
    ? openProcess(given)
    : { transport: openHttp(given.url, credentials), output: () => '' };
}

function openProcess({
  command,
  args = [],
  env = {},
  cwd,
  stderr = 'keep',
}: Extract<McpTransport, { type: 'stdio' }>): OpenTransport {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: stderr === 'keep' ? 'pipe' : stderr,
    maxBufferSize: MAX_MESSAGE_BYTES,
    ...(cwd !== undefined && { cwd }),
  });
  const written = stderr === 'keep' ? transport.stderr : null;
  return {
    transport: endingWithProcess(transport),
    output: written instanceof Readable ? lastOutput(written) : () => '',
  };
}

function openHttp(url: string, credentials: Credentials | undefined): Transport {
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (target, init) => {
      const headers = await withCredentials(new Headers(init?.headers), credentials);
      return bounded(await fetch(target, { ...init, headers }));
    },
  });
}

/** A request was not made, so that its server has seen nothing of it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

async function withCredentials(headers: Headers, credentials: Credentials | undefined): Promise<Headers> {
  try {
    for (const [name, value] of Object.entries((await credentials?.()) ?? {})) headers.set(name, value);
    return headers;
  } catch (error) {
    // What it says may hold the secret, and the run would keep it.
    const what = error instanceof Error ? error.name : typeof error;
    throw new NotSent(`\`credentials\` gave no headers (${what}). Look at that function.`, { cause: error });
  }
}

/**
 * The response, cut off with an error where it has more bytes than a message may have. One that is no stream is the
 * answer itself, so that then the server has carried the call out; what it says of a failure is only cut.
 */
function bounded(response: Response): Response {
  if (!response.body) return response;
  const { status, statusText, headers, ok } = response;
  // A stream of events may be long: each of them is a message.
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const sizeOf = isStream ? eventSizes() : totalSizes();
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = `The server sent a message of more than ${MAX_MESSAGE_BYTES} bytes.`;
        if (sizeOf(chunk) <= MAX_MESSAGE_BYTES) controller.enqueue(chunk);
        else if (!ok) controller.terminate();
        else controller.error(isStream ? new Error(text) : new UnusableResult(text));
      },
    }),
  );
  return new Response(counted, { status, statusText, headers });
}

/** The bytes of all chunks so far. */
function totalSizes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => (bytes += chunk.byteLength);
}

const LF = 10;
const CR = 13;

/** The bytes of the largest event that a chunk is part of, so far. A blank line ends an event. */
function eventSizes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isBlank = true;
  let isAfterCr = false;
  let largest = 0;
  const add = (count: number): void => {
    bytes += count;
    largest = Math.max(largest, bytes);
  };
  const endLine = (end: number): void => {
    // The second half of one line end.
    if (end === LF && isAfterCr) isAfterCr = false;
    else {
      if (isBlank) bytes = 0;
      isBlank = true;
      isAfterCr = end === CR;
    }
  };
  return (chunk) => {
    largest = bytes;
    let at = 0;
    for (let [lf, cr] = [chunk.indexOf(LF), chunk.indexOf(CR)]; lf !== -1 || cr !== -1;) {
      const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
      if (end > at) [isBlank, isAfterCr] = [false, false];
      add(end - at + 1);
      at = end + 1;
      if (end === lf) {
        endLine(LF);
        lf = chunk.indexOf(LF, at);
      } else {
        endLine(CR);
        cr = chunk.indexOf(CR, at);
      }
    }
    if (at < chunk.length) [isBlank, isAfterCr] = [false, false];
    add(chunk.length - at);
    return largest;
  };
}
