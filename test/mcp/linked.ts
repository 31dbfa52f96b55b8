import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { connectMcp, type ConnectOptions, type McpConnection } from '../../src/mcp/client/connection';
import type { Credentials } from '../../src/mcp/client/transport';
import type { McpServing } from '../../src/mcp/server/create-mcp-server';

/** Straight to a server of this process, through HTTP's own types. */
export function directTransport(
  serving: Pick<McpServing, 'fetch'>,
  credentials?: Credentials,
): () => Transport {
  return () =>
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: async (target, init) => {
        const headers = new Headers(init?.headers);
        headers.set('host', 'localhost');
        for (const [name, value] of Object.entries((await credentials?.()) ?? {})) headers.set(name, value);
        return serving.fetch(new Request(target, { ...init, headers }));
      },
    });
}

/** A connection to a server of this process. */
export function connectTo(
  serving: Pick<McpServing, 'fetch'>,
  { credentials, ...options }: Omit<ConnectOptions, 'transport'> = {},
): Promise<McpConnection> {
  return connectMcp({ ...options, transport: directTransport(serving, credentials) });
}
