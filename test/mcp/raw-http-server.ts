import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson, type JsonObject } from '../../src/agent/json';

/** What a test makes of one request of the client for `tools/call`. */
export type Answer = (id: unknown, response: ServerResponse, request: IncomingMessage) => void;

export interface RawHttpServer {
  readonly url: string;
  readonly server: Server;
  /** Ends it, whatever it is in the middle of. */
  close(): Promise<void>;
}

/** A server of an earlier revision with sessions and one tool, `act`; what else is declared of it is the test's. */
export async function rawHttpServer(answer: Answer, declared: JsonObject = {}): Promise<RawHttpServer> {
  let sessions = 0;
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = parseJson(await text(request));
    // A test's own listener may have answered it.
    if (request.method !== 'POST') return void (response.headersSent || response.writeHead(405).end());
    if (!isRecord(message) || message['id'] === undefined) return void response.writeHead(202).end();
    const { id, method } = message;
    const reply = (content: JsonObject): void => {
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(method === 'initialize' && { 'mcp-session-id': `s${(sessions += 1)}` }),
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...content }));
    };
    if (method === 'tools/call') answer(id, response, request);
    else if (method === 'initialize')
      reply({
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        },
      });
    else if (method === 'tools/list')
      reply({ result: { tools: [{ name: 'act', inputSchema: { type: 'object' }, ...declared }] } });
    else reply({ error: { code: -32601, message: 'Method not found' } });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    server,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The whole body of an answer with the text `done`. */
export function done(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });
}

/** Answers with the text `done`. */
export const answerDone: Answer = (id, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(done(id));
};
