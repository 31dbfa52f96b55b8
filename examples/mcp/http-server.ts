/** The tools over HTTP, for callers with a token: `http-server.ts [port]`. */
import { fixedConfig, listen, type ListeningServer } from 'holdpoint/http';
import { createMcpServer } from 'holdpoint/mcp';
import { tools } from './tools';

/** Who calls, by what they prove it with. */
const callers = new Map([[`Bearer ${process.env['GREETINGS_TOKEN'] ?? 'example-token'}`, { id: 'shop' }]]);

export async function serveHttp(port: number): Promise<ListeningServer> {
  const server = createMcpServer({
    name: 'greetings',
    version: '1.0.0',
    tools,
    auth: async (headers) => callers.get(headers.get('authorization') ?? ''),
  });
  return listen(server, { port, host: '127.0.0.1', config: fixedConfig() });
}

async function main([port = '7090']: string[]): Promise<void> {
  const { url } = await serveHttp(Number(port));
  console.log(`Greetings are served at ${url}.`);
}

if (require.main === module) void main(process.argv.slice(2));
