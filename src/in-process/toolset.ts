import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import type { Tool } from '../agent/tool';
import type { CustomTool } from '../tools/custom-tool';
import { defineAgent } from '../tools/define-agent';
import { Toolkit } from '../tools/toolkit';

/** What a run may use: a toolkit, a list of tools, or an agent as a worker would have it. Default: no tools. */
export type Toolset = Toolkit | Iterable<Tool | CustomTool> | Agent;

/**
 * The agent of a run. Tools alone make one without instructions of its own.
 *
 * @throws HoldpointError `Holdpoint.Run.InvalidInput` for a closed toolkit, and what `defineAgent` throws
 */
export function toAgent(toolset: Toolset | undefined, model: string, system: string | undefined): Agent {
  if (toolset instanceof Toolkit && toolset.closed)
    throw new HoldpointError('Holdpoint.Run.InvalidInput', 'The toolkit is closed. Create another one.');
  const agent =
    toolset !== undefined && !isList(toolset)
      ? toolset
      : defineAgent({ name: 'in-process', model, ...(toolset && { tools: toolset }) });
  return system === undefined ? agent : { ...agent, instructions: system };
}

export function isToolset(value: unknown): value is Toolset {
  return (isRecord(value) || Array.isArray(value)) && (isList(value) || isAgent(value));
}

function isList(value: object): value is Toolkit | Iterable<Tool | CustomTool> {
  return Symbol.iterator in value;
}

function isAgent(value: object): value is Agent {
  return 'model' in value && 'tools' in value && 'name' in value;
}
