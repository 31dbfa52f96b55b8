import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import { isRecord, type Json } from '../agent/json';
import { limitsProblem, type Limits } from '../agent/limits';
import type { ToolChoice } from '../agent/model';
import type { Checked, Tool } from '../agent/tool';
import { toTool, type CustomTool } from './custom-tool';
import { Definition, isText, isWhole } from './definition';
import { toSchema, type SchemaInput } from './schema';
import { refuseClashes } from './tool-clashes';

/** Options of {@link defineAgent}. Only `name` and `model` are needed. */
export interface AgentOptions {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** The system prompt, or a function that makes it, called once per run. Default: none. */
  readonly instructions?: NonNullable<Agent['instructions']>;
  /** The model's name as its provider spells it. */
  readonly model: string;
  /** An array or a toolkit. Default: none. */
  readonly tools?: Iterable<Tool | CustomTool>;
  /** Default: ten model calls since the last input from outside (R36). */
  readonly limits?: Limits;
  /** Default: the provider's, which is `auto`. */
  readonly toolChoice?: ToolChoice;
  /** Longest reply in tokens. Default: the provider's. */
  readonly maxTokens?: number;
  /** Default: the provider's. */
  readonly temperature?: number;
  /** The final text must be JSON of this schema; `RunResult.output` holds it parsed. */
  readonly outputSchema?: SchemaInput;
}

const INVALID = 'Holdpoint.Agent.InvalidDefinition';
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const OPTIONS = [
  'name',
  'instructions',
  'model',
  'tools',
  'limits',
  'toolChoice',
  'maxTokens',
  'temperature',
  'outputSchema',
];

/**
 * Defines an agent for `createWorker`.
 *
 * ```ts
 * const desk = defineAgent({ name: 'refund-desk', model: 'gpt-5-mini', instructions: 'You refund orders.', tools: [lookup] });
 * const worker = await createWorker({ agents: [desk], taskQueue: 'agents' });
 * ```
 *
 * @throws HoldpointError `Holdpoint.Agent.InvalidDefinition`, `Holdpoint.Tool.Clash`
 */
export function defineAgent(options: AgentOptions): Agent {
  refuseBroken(options);
  const { name, instructions, model, limits, toolChoice, maxTokens, temperature, outputSchema } = options;
  const tools = [...(options.tools ?? [])].map(toTool);
  refuseClashes(tools, `agent ${name}`);
  refuseChoiceOfNothing(name, tools, toolChoice);
  const output =
    outputSchema === undefined ? undefined : toSchema(outputSchema, `agent ${name}`, 'outputSchema', INVALID);
  return {
    name,
    ...(instructions !== undefined && { instructions }),
    model,
    tools,
    limits: { ...limits },
    ...(toolChoice !== undefined && { toolChoice }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(output && { outputSchema: output.wire, checkOutput: asJson(output.check) }),
  };
}

/** What a schema makes of the output travels with the run's result, so it must survive JSON (R12). */
function asJson(check: (value: Json) => Checked<unknown>): (value: Json) => Checked<Json> {
  return (value) => {
    const checked = check(value);
    if (!checked.ok) return checked;
    return { ok: true, value: JSON.parse(JSON.stringify(checked.value) ?? 'null') as Json };
  };
}

function refuseBroken(options: AgentOptions): void {
  const label =
    isRecord(options) && typeof options['name'] === 'string' ? `agent ${options['name']}` : 'an agent';
  const definition = new Definition(label, options, OPTIONS, INVALID);
  definition.demand(
    'name',
    'a string of 1 to 64 letters, digits, _ and -',
    (value) => typeof value === 'string' && NAME.test(value),
  );
  definition.demand('model', 'a non-empty string', isText);
  definition.expect(
    'instructions',
    'a string or a function',
    (value) => typeof value === 'string' || typeof value === 'function',
  );
  definition.expect(
    'tools',
    'an array of tools or a toolkit',
    (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  );
  definition.expect('maxTokens', 'a whole number of at least 1', isWhole(1));
  definition.expect(
    'temperature',
    'a number of at least 0',
    (value) => Number.isFinite(value) && (value as number) >= 0,
  );
  definition.expect('toolChoice', "'auto', 'none', 'required' or {tool}", isToolChoice);
  definition.expect('limits', 'an object of limits', isRecord);
  const problem = limitsProblem({ ...options.limits });
  if (problem !== undefined)
    throw new HoldpointError(INVALID, `The limits of ${label} cannot be used. ${problem}`);
}

function isToolChoice(value: unknown): boolean {
  return isRecord(value) ? isText(value['tool']) : ['auto', 'none', 'required'].includes(value as string);
}

/** A provider answers such a request with a 400, in the middle of the first run. */
function refuseChoiceOfNothing(agent: string, tools: readonly Tool[], choice: ToolChoice | undefined): void {
  const named = typeof choice === 'object' ? choice.tool : undefined;
  const possible =
    named === undefined
      ? choice !== 'required' || tools.length > 0
      : tools.some((tool) => tool.name === named);
  if (possible) return;
  throw new HoldpointError(
    INVALID,
    `The toolChoice of agent ${agent} asks for ${named === undefined ? 'a tool' : `the tool ${named}`}, which the agent does not have.`,
    { agent },
  );
}
