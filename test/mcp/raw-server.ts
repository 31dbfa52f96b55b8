import { InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { isRecord, type JsonObject } from '../../src/agent/json';

/** A message as it comes, of whatever kind. */
export type Message = Readonly<Record<string, unknown>>;

/** Sends anything to the client, also what no server may. */
export type Send = (message: Message) => void;

/** What a test makes of one request of the client; `undefined` leaves it to the server. */
export type Handle = (
  request: { readonly id: unknown; readonly method: string; readonly params: JsonObject },
  server: { readonly send: Send; readonly close: () => void },
) => JsonObject | undefined | 'handled';

/**
 * A server of the earlier handshake with one tool, `act`, of which a test answers what it wants, as a result; all
 * that the client says besides goes to `heard`.
 */
export function rawServer(
  handle: Handle,
  heard: (message: Message) => void = () => undefined,
): () => Transport {
  return () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const send: Send = (message) => void theirs.send({ jsonrpc: '2.0', ...message } as never);
    theirs.onmessage = (message: unknown) => {
      if (!isRecord(message) || typeof message['method'] !== 'string' || message['id'] === undefined)
        return isRecord(message) ? heard(message) : undefined;
      const { id, method, params } = message;
      const known = isRecord(params) ? (params as JsonObject) : {};
      const result = handle({ id, method, params: known }, { send, close: () => void theirs.close() });
      if (result === 'handled') return;
      const own = result ?? OWN[method];
      if (own) send({ id, result: own });
      else send({ id, error: { code: -32601, message: 'Method not found' } });
    };
    void theirs.start();
    return ours;
  };
}

const OWN: Readonly<Record<string, JsonObject>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  },
  'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
};

/** The same server in revision 2026-07-28. */
export function in2026(handle: Handle): Handle {
  return (request, server) => handle(request, server) ?? LATER[request.method];
}

const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } as const;
const LATER: Readonly<Record<string, JsonObject>> = {
  'server/discover': {
    ...COMPLETE,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'raw', version: '1' } },
  },
  'tools/list': { ...COMPLETE, ...OWN['tools/list'] },
};
