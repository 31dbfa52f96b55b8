import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../agent/errors';
import { isRecord, parseJson, type JsonObject } from '../agent/json';
import type { Message, SystemMessage } from '../agent/message';
import { portError } from './free-port';
import { RequestLog, type RecordedRequest } from './request-log';
import { sendStatus, sendTurn } from './scripted-reply';
import type { ScriptedTurn } from './scripted-turn';

/** Turns in order, or a function of the request and its index, counted from 0. */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: RecordedRequest, index: number) => ScriptedTurn | PromiseLike<ScriptedTurn>);

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** Port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
}

/** A model server that answers from its script. */
export interface ScriptedModel {
  /** For `OPENAI_BASE_URL` or a provider's `baseURL`; ends in `/v1`. */
  readonly baseURL: string;
  /** Every request for a completion so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Resolves with request number `count`, counted from 1, once it has arrived; it need not be answered yet.
   * Rejects with `Holdpoint.Testing.Stopped` when the model is closed before.
   */
  waitForRequest(count: number): Promise<RecordedRequest>;
  /** Destroys open connections and resolves when the port is free. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1 that speaks OpenAI chat completions and answers from `script`: turns in
 * order, whoever asks, or a function. A request with `stream: true` is answered with server-sent events. Any
 * path that ends in `/chat/completions` will do. A request past the end of the script gets a 500 that says so.
 *
 * Throws `Holdpoint.Server.PortTaken` when `port` cannot be bound.
 *
 * @example
 * await using model = await scriptedModel([{ toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] }, { content: 'Done' }]);
 * const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'none' });
 */
export async function scriptedModel(
  script: Script,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const log = new RequestLog();
  const nextTurn = typeof script === 'function' ? script : inOrder(script);
  const server = createServer((request, response) => {
    // A script that throws, or a connection that ended first, must not take the test process down.
    answer(request, response, log, nextTurn).catch((error: unknown) => {
      if (!response.headersSent)
        sendStatus(response, 500, failure(`The script threw: ${errorMessage(error)}`));
    });
  });
  // Between a test's steps a client may keep its connection idle for long.
  server.keepAliveTimeout = 60_000;
  const port = await new Promise<number>((resolve, reject) => {
    const wanted = options.port ?? 0;
    server.once('error', (cause) => reject(portError(wanted, 'the scripted model', cause)));
    server.listen({ port: wanted, host: '127.0.0.1' }, () => {
      const bound = server.address();
      resolve(bound !== null && typeof bound === 'object' ? bound.port : wanted);
    });
  });

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      log.stop();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests: log.requests,
    waitForRequest: (count) => log.waitFor(count),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function inOrder(turns: readonly ScriptedTurn[]): (request: RecordedRequest, index: number) => ScriptedTurn {
  return (_request, index) =>
    turns[index] ?? {
      status: 500,
      body: failure(`The script has ${turns.length} turns, and this is request ${index + 1}`),
    };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  log: RequestLog,
  nextTurn: Exclude<Script, readonly ScriptedTurn[]>,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (request.method !== 'POST' || !path.endsWith('/chat/completions')) {
    return sendStatus(
      response,
      404,
      failure(`No ${request.method ?? ''} ${path}; only POST …/chat/completions`),
    );
  }
  const body = parseJson(await text(request));
  if (!isRecord(body)) return sendStatus(response, 400, failure('The body is not a JSON object'));
  const gone = new AbortController();
  const clientGone = new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()));
  const onClose = (): void => gone.abort();
  response.once('close', onClose);
  const recorded: RecordedRequest = {
    body,
    messages: messagesOf(body),
    headers: request.headers,
    at: new Date(),
    clientGone,
  };
  const index = log.add(recorded);

  const turn = await nextTurn(recorded, index);
  if (turn.delayMs !== undefined) await delay(turn.delayMs, undefined, { signal: gone.signal });
  await Promise.resolve(turn.hold).catch(() => response.destroy());
  // Whatever closes the connection from here on is the turn, not the client.
  response.off('close', onClose);
  if (response.destroyed) return;

  const options = body.stream_options;
  const head = { index, model: typeof body.model === 'string' ? body.model : '', createdAt: recorded.at };
  const form = {
    stream: body.stream === true,
    streamUsage: isRecord(options) && options.include_usage === true,
  };
  sendTurn(response, turn, head, form);
}

function failure(message: string): JsonObject {
  return {
    error: { message: `Scripted model: ${message}.`, type: 'scripted_model', param: null, code: null },
  };
}

/** A body is whatever the client sent; what is no message is left out. */
function messagesOf({ messages }: Readonly<Record<string, unknown>>): (SystemMessage | Message)[] {
  return Array.isArray(messages) ? messages.filter(isMessage) : [];
}

function isMessage(value: unknown): value is SystemMessage | Message {
  return isRecord(value) && typeof value['role'] === 'string';
}
