import type { Command } from 'commander';
import { Console } from 'node:console';
import { errorMessage } from '../../agent/errors';
import { onStopSignal } from '../../process/stop-signal';
import { connectingOptions, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { loadMcp } from '../mcp/load-mcp';
import { loadMcpFile } from '../mcp/mcp-file';
import { packageVersion } from '../package-version';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';

interface McpFlags extends ConnectionFlags, OutputOptions {
  readonly name: string;
}

export function mcpCommand(): Command {
  const command = newCommand('mcp', {
    summary: 'serve the tools and agents of a file over MCP, on standard input and output',
    details:
      'For an MCP client that starts its servers itself. It ends with its input, with SIGTERM or Ctrl-C. Standard output is the protocol’s: logs, and what tools print, go to standard error',
    examples: ['holdpoint mcp tools.ts', 'holdpoint mcp agents.ts --name shop --task-queue refunds'],
    exits: ['done', 'unavailable'],
  })
    .argument('[file]', 'TypeScript or JavaScript; exports `tools`, `mcpAgents` or `agents`', 'agents.ts')
    .option('--name <name>', 'what the server calls itself', 'holdpoint');
  return withJson(
    withConnection(command, { taskQueue: true, tenant: true }),
    'print an error that it ends with as a JSON document, too',
  ).action(serve);
}

async function serve(file: string, flags: McpFlags): Promise<void> {
  await carryOut(flags, async (output) => {
    // One line on standard output that is none of the protocol's, and the client gives up.
    globalThis.console = new Console(process.stderr, process.stderr);
    const ended = untilTold();
    const { createMcpServer } = await loadMcp();
    const { tools, agents } = await loadMcpFile(file);
    const client = agents.length > 0 ? await connect(flags) : undefined;
    const serving = createMcpServer({
      name: flags.name,
      version: packageVersion(),
      tools,
      agents,
      onError: (error) => output.warning(errorMessage(error)),
      ...(client && { client: flags.tenant === undefined ? client : client.forTenant(flags.tenant) }),
    });
    const stdio = serving.stdio();
    await ended;
    await stdio.close();
    await client?.disconnect();
    return EXIT.done;
  });
  // Timers and connections of the tools' own would keep the process alive; what was written is out.
  process.stdout.write('', () => process.exit());
}

async function connect(flags: McpFlags) {
  const { createClient } = await import('../../client.js');
  return createClient(await connectingOptions(flags));
}

/** The end of the input is how a client ends its server; the second signal ends the process at once. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['end', 'close', 'error']) process.stdin.once(name, () => resolve());
    onStopSignal(['SIGINT', 'SIGTERM'], resolve);
  });
}
