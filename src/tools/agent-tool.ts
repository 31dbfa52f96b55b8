import type { Agent } from '../agent/agent';
import type { NeedsApproval, Tool } from '../agent/tool';
import type { JsonSchema } from '../agent/json';
import type { ApprovalOptions } from './approval-policy';
import { buildTool, RELAY_OPTIONS } from './build-tool';
import type { Duration } from './duration';
import type { ArgsOf, SchemaInput } from './schema';

/** Options of {@link agentTool}; every one may be left out. */
export interface AgentToolOptions<In extends SchemaInput = JsonSchema> extends ApprovalOptions {
  /** The tool's name. Default: the agent's. */
  readonly name?: string;
  /** What the calling model reads. Default: that it asks this agent. */
  readonly description?: string;
  /** Default: `{input: string}`, whose text is what the agent is asked. Of another schema it gets the arguments as JSON. */
  readonly inputSchema?: In;
  /** A person decides before the agent is asked. */
  readonly needsApproval?: NeedsApproval<ArgsOf<In>>;
  /** How long that approval stays open. Default: until answered. */
  readonly expiresIn?: Duration;
}

const TEXT_INPUT: JsonSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What the agent is asked to do.' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * An agent as a tool of another: a call of it is a run of its own, whose final text is the call's result. What that run
 * waits on surfaces on the run that the user started, with `request.path`, and is answered there. Cancelling the run
 * cancels it. A worker that has the calling agent has this one, too.
 *
 * ```ts
 * const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: [agentTool(researcher)] });
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function agentTool<In extends SchemaInput = JsonSchema>(
  agent: Agent,
  options: AgentToolOptions<In> = {},
): Tool {
  const { name = agent.name, description = `Asks the agent ${agent.name}.`, ...rest } = options;
  const tool = buildTool({ inputSchema: TEXT_INPUT, ...rest, name, description }, 'agent', RELAY_OPTIONS);
  return { ...tool, agent };
}
