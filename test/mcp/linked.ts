import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connectMcp, type ConnectOptions, type McpConnection } from '../../src/mcp/client/connection';
import type { McpServing } from '../../src/mcp/server/create-mcp-server';

/** A connection to a server of this process: every request goes straight to it, through HTTP's own types. */
export function connectTo(
  serving: Pick<McpServing, 'fetch'>,
  options: Omit<ConnectOptions, 'transport'> & { readonly seen?: (request: Request) => void } = {},
): Promise<McpConnection> {
  const { seen, credentials, ...rest } = options;
  const url = new URL('http://localhost/mcp');
  return connectMcp({
    ...rest,
    transport: () =>
      new StreamableHTTPClientTransport(url, {
        fetch: async (target, init) => {
          const headers = new Headers(init?.headers);
          headers.set('host', 'localhost');
          for (const [name, value] of Object.entries((await credentials?.()) ?? {})) headers.set(name, value);
          const request = new Request(target, { ...init, headers });
          seen?.(request.clone());
          return serving.fetch(request);
        },
      }),
  });
}
