import type { Agent } from '../../agent/agent';
import { isRecord } from '../../agent/json';
import type { BoundTool, ServedAgent } from '../../mcp';
import { isAgent } from '../agents-file';
import { fileError } from '../command-error';
import { exportsOf, importFile } from '../import-file';

/** What a file serves over MCP. */
export interface McpFile {
  readonly tools: readonly BoundTool<undefined>[];
  readonly agents: readonly ServedAgent[];
}

const FORMS =
  'Export `tools`, an array of tools bound by `handle` or `handleCall`; `mcpAgents`, an array of { agent, description }; or `agents`, made by `defineAgent`.';

/**
 * Loads a file that exports what is served over MCP. A file of agents for `holdpoint worker` will do.
 *
 * Throws `Holdpoint.Command.InvalidFile`.
 */
export async function loadMcpFile(file: string): Promise<McpFile> {
  return readMcpFile(await importFile(file, 'tools or agents', { compile: 'typescript' }), file);
}

/** Reads what a module exports. Throws `Holdpoint.Command.InvalidFile`. */
export function readMcpFile(module: unknown, file: string): McpFile {
  const { named, main } = exportsOf(module);
  const own = Array.isArray(main) ? { agents: main as readonly unknown[] } : isRecord(main) ? main : {};
  const { tools, mcpAgents, agents } = { ...named, ...own };
  if (tools === undefined && mcpAgents === undefined && agents === undefined)
    throw fileError(file, `${file} exports nothing to serve. ${FORMS}`);
  if (tools !== undefined && !isListOf(tools, isBoundTool))
    throw fileError(file, `\`tools\` of ${file} is not an array of bound tools. ${FORMS}`);
  if (mcpAgents !== undefined && !isListOf(mcpAgents, isServedAgent))
    throw fileError(file, `\`mcpAgents\` of ${file} is not an array of { agent, description }. ${FORMS}`);
  if (mcpAgents === undefined && agents !== undefined && !isListOf(agents, isAgent))
    throw fileError(file, `What ${file} exports as agents is not an array of agents. ${FORMS}`);
  return {
    tools: (tools as McpFile['tools'] | undefined) ?? [],
    agents:
      (mcpAgents as McpFile['agents'] | undefined) ?? ((agents ?? []) as readonly Agent[]).map(described),
  };
}

/** What stands in an agent's instructions is for the model alone. */
function described(agent: Agent): ServedAgent {
  return {
    agent,
    description: `Gives a task, told in words, to the agent ${agent.name}, and waits until it is done.`,
  };
}

function isListOf(value: unknown, is: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isBoundTool(value: unknown): boolean {
  return isRecord(value) && isRecord(value['definition']) && typeof value['runRound'] === 'function';
}

function isServedAgent(value: unknown): boolean {
  if (!isRecord(value) || typeof value['description'] !== 'string') return false;
  return typeof value['agent'] === 'string' || isAgent(value['agent']);
}
