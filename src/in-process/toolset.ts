import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
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
    toolset !== undefined && isAgent(toolset)
      ? toolset
      : defineAgent({ name: 'in-process', model, ...(toolset && { tools: toolset }) });
  return system === undefined ? agent : { ...agent, instructions: system };
}

function isAgent(toolset: Toolset): toolset is Agent {
  return !(Symbol.iterator in toolset) && 'model' in toolset;
}
