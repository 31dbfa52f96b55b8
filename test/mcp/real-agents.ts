import { dirname, join } from 'node:path';
import { defineAgent, relayTool } from '../../src/tools';
import { mcpTools } from '../../src/mcp/run/mcp-tools';

/** Where a published server's program is. */
function program(name: string): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js');
}

async function agentsOf(folder: string) {
  const [everything, files] = await Promise.all([
    mcpTools({
      name: 'everything',
      transport: { type: 'stdio', command: process.execPath, args: [program('server-everything'), 'stdio'] },
    }),
    mcpTools({
      name: 'files',
      transport: { type: 'stdio', command: process.execPath, args: [program('server-filesystem'), folder] },
      include: ['read_text_file', 'write_file', 'list_directory'],
    }),
  ]);
  const ask = relayTool({ name: 'ask', description: 'Asks outside' });
  return [
    defineAgent({ name: 'clerk', model: 'scripted', tools: [...everything.tools, ...files.tools, ask] }),
  ];
}

/** An agent with the tools of two published servers, one of which serves the folder that the environment names. */
export const agents = agentsOf(process.env['HOLDPOINT_TEST_FOLDER'] ?? '');
