import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../agent/json';
import {
  toCompletion,
  toCompletionChunks,
  toEmptyCompletion,
  type CompletionHead,
} from './scripted-completion';
import type { ScriptedTurn } from './scripted-turn';

/** How the request asked to be answered. */
export interface ReplyForm {
  readonly stream: boolean;
  /** Streams end with the usage only when asked to. */
  readonly streamUsage: boolean;
}

/** Writes what `turn` says to `response`. */
export function sendTurn(
  response: ServerResponse,
  turn: ScriptedTurn,
  head: CompletionHead,
  form: ReplyForm,
): void {
  if ('status' in turn) return sendStatus(response, turn.status, turn.body, turn.headers);
  if ('malformed' in turn) return sendText(response, 200, turn.malformed);
  if ('cut' in turn) return cut(response, form);
  if ('emptyChoices' in turn) return sendJson(response, 200, toEmptyCompletion(head));
  if (!form.stream) return sendJson(response, 200, toCompletion(turn, head));

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const chunk of toCompletionChunks(turn, head, form.streamUsage)) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

/** Answers with a status and, unless `body` is given, an error object as OpenAI sends it. */
export function sendStatus(
  response: ServerResponse,
  status: number,
  body?: string | JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body === 'string') return sendText(response, status, body);
  const standard = {
    error: { message: `Scripted status ${status}`, type: 'scripted', param: null, code: null },
  };
  sendJson(response, status, body ?? standard);
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  sendText(response, status, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  // A status turn may have set another content type.
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.writeHead(status);
  response.end(text);
}

function cut(response: ServerResponse, form: ReplyForm): void {
  const [type, half] = form.stream
    ? ['text/event-stream', 'data: {"id":"chatcmpl-scripted","obj']
    : ['application/json', '{"id":"chatcmpl-scripted","object":"chat.comp'];
  // A length that is never reached lets the client tell a cut body from a short one.
  response.writeHead(200, { 'content-type': type, 'content-length': '4096' });
  response.write(half, () => response.destroy());
}
