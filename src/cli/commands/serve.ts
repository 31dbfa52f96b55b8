import type { Command } from 'commander';
import { configPath } from '../../config/read-config';
import { onStopSignal } from '../../process/stop-signal';
import { connectingOptions, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { loadMcp } from '../mcp/load-mcp';
import { loadMcpFile } from '../mcp/mcp-file';
import { packageVersion } from '../package-version';
import { howToOpen, isClosed } from '../serve/how-to-open';
import type { MakeMcp } from '../serve/mcp-parts';
import { portOrFree } from '../values';

interface ServeFlags extends ConnectionFlags, OutputOptions {
  readonly config?: string;
  readonly port: number;
  readonly host: string;
  readonly mcp?: string;
}

const PORT = 7080;
const HOST = '127.0.0.1';

export function serveCommand(): Command {
  const command = newCommand('serve', {
    summary: 'serve the HTTP API, and the inbox for people at /inbox',
    details:
      'SIGTERM or Ctrl-C lets requests under way end, ends waits and event streams, and then ends it with 0. Logs are lines of JSON on standard error; HOLDPOINT_LOG_LEVEL says which',
    examples: ['holdpoint serve', 'holdpoint serve --config /etc/holdpoint.json --host 0.0.0.0 --port 8080'],
    exits: ['done', 'unavailable'],
  })
    .option('--config <file>', 'the configuration (default: HOLDPOINT_CONFIG, or holdpoint.config.json)')
    .option('--port <n>', 'port to listen on; 0 for a free one', portOrFree, PORT)
    .option('--host <address>', 'address to listen on', HOST)
    .option('--mcp <file>', 'serve the tools and agents that this file exports over MCP, at /mcp');
  return withJson(
    withConnection(command, { taskQueue: true }),
    'print a line of JSON when it listens and when it has ended',
  ).action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  await carryOut(flags, async (output) => {
    const { startServer } = await import('../serve/start-server.js');
    const path = configPath(flags.config);
    const { port, host } = flags;
    const mcp = flags.mcp === undefined ? undefined : await mcpOf(flags.mcp);
    const server = await startServer({
      port,
      host,
      connection: await connectingOptions(flags),
      ...(path !== undefined && { configPath: path }),
      ...(mcp && { mcp }),
    });
    const inbox = `${server.config.current.publicUrl ?? server.url}/inbox`;
    output.entry(
      {
        event: 'ready',
        url: server.url,
        inbox,
        pid: process.pid,
        ...(mcp && { mcp: `${server.config.current.publicUrl ?? server.url}/mcp` }),
        ...(path !== undefined && { config: path }),
      },
      `Holdpoint listens on ${server.url}. The inbox is ${inbox}.`,
    );
    if (isClosed(server.config)) output.warning(howToOpen(path));
    await untilTold();
    await server.close();
    output.entry({ event: 'ended' }, 'The server has ended.');
    return EXIT.done;
  });
}

/** What is served over MCP, once the server has what it needs. */
async function mcpOf(file: string): Promise<MakeMcp> {
  // First: without them the file fails as well, and says less of why.
  const { createMcpServer } = await loadMcp();
  const { tools, agents } = await loadMcpFile(file);
  return (parts) =>
    createMcpServer({ name: 'holdpoint', version: packageVersion(), tools, agents, ...parts });
}

/** The second signal ends the process as if nobody listened for it. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    onStopSignal(['SIGINT', 'SIGTERM'], resolve);
  });
}
