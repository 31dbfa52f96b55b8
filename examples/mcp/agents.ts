/** Two agents with the same tools: from a server, and in their own worker. */
import { join } from 'node:path';
import { defineAgent, type Agent } from 'holdpoint';
import { agentTools, mcpTools } from 'holdpoint/mcp';
import { tools } from './tools';

export const TASK_QUEUE = 'example-mcp';
const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini';

/** In a function: `await` at the top of a file needs an ES module. */
export async function hosts(): Promise<readonly Agent[]> {
  const greetings = await mcpTools({
    name: 'greetings',
    transport: {
      type: 'stdio',
      command: process.execPath,
      args: ['--import', 'tsx', join(__dirname, 'stdio-server.ts')],
    },
  });
  return [
    defineAgent({ name: 'guest-host', model, tools: greetings.tools }),
    defineAgent({ name: 'host', model, tools: agentTools(...tools) }),
  ];
}
