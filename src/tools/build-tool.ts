import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord, type Json } from '../agent/json';
import {
  errorResult,
  type NeedsApproval,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolSource,
} from '../agent/tool';
import { outputProblem } from '../agent/output-problem';
import { APPROVAL_OPTIONS, toApprovalPolicy, type ApprovalOptions } from './approval-policy';
import { Definition, isText, isWhole } from './definition';
import { directContext } from './direct-context';
import { durationMs } from './duration';
import { runHandler } from './run-handler';
import { toInputSchema, toSchema, type Schema } from './schema';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const HINTS = ['readOnly', 'destructive', 'idempotent', 'openWorld'];
/** A timer set for longer fires at once. */
export const MAX_TIMEOUT_MS = 2_147_483_647;

const INVALID = 'Holdpoint.Tool.InvalidDefinition';

export const RELAY_OPTIONS = [
  'name',
  'description',
  'inputSchema',
  'outputSchema',
  'hints',
  'needsApproval',
  'expiresIn',
  ...APPROVAL_OPTIONS,
];
export const TOOL_OPTIONS = [
  ...RELAY_OPTIONS,
  'timeoutMs',
  'exclusive',
  'onUnknownOutcome',
  'taskQueue',
  'execute',
];

type Handler = (args: never, ctx: ToolContext) => unknown;

/** Options of any kind of tool, before they are read. `never` stands for whatever the schema gives. */
export interface ToolParts extends ApprovalOptions {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly hints?: Tool['hints'];
  readonly timeoutMs?: number;
  readonly exclusive?: boolean;
  readonly onUnknownOutcome?: NonNullable<Tool['onUnknownOutcome']>;
  readonly taskQueue?: string;
  readonly needsApproval?: NeedsApproval<never>;
  readonly expiresIn?: unknown;
  readonly execute?: Handler;
}

/**
 * Checks a definition and makes it a `Tool` (R1).
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function buildTool(parts: ToolParts, source: ToolSource, options: readonly string[]): Tool {
  const definition = checkedDefinition(parts, options);
  const approval = toApprovalPolicy(definition);
  const {
    name,
    description,
    hints,
    timeoutMs,
    exclusive,
    onUnknownOutcome,
    taskQueue,
    needsApproval,
    execute,
  } = parts;
  const owner = `tool ${name}`;
  const input = toInputSchema(parts.inputSchema, owner);
  const output =
    parts.outputSchema === undefined
      ? undefined
      : toSchema(parts.outputSchema, owner, 'outputSchema', INVALID);
  return {
    name,
    description,
    inputSchema: input.wire,
    ...(output && { outputSchema: output.wire }),
    hints: { ...hints },
    timeoutMs: timeoutMs ?? 0,
    exclusive: exclusive ?? false,
    ...(onUnknownOutcome && { onUnknownOutcome }),
    ...(taskQueue !== undefined && { taskQueue }),
    source,
    ...(needsApproval !== undefined && { needsApproval: erased(needsApproval) }),
    ...(parts.expiresIn !== undefined && { expiresInMs: durationMs('expiresIn', parts.expiresIn) }),
    ...(approval && { approval }),
    checkInput: input.check,
    ...(output && !output.isWhole && { checkOutput: output.check }),
    ...(execute && executions(name, execute, input, output)),
  };
}

function executions(name: string, handler: Handler, input: Schema, output: Schema | undefined) {
  const execute = async (args: unknown, ctx: ToolContext): Promise<ToolResult> => {
    const result = await runHandler(name, () => handler(args as never, ctx));
    if (!output || result.isError) return result;
    const problem = outputProblem(output.check, result.output);
    if (problem === undefined) return result;
    return errorResult(`${name} ran, but its output does not match its output schema: ${problem}`);
  };
  const call = async (args: Json, ctx: Partial<ToolContext> = {}): Promise<ToolResult> => {
    if (!isRecord(args)) return errorResult(`Invalid arguments for ${name}: expected an object.`);
    const checked = input.check(args);
    if (!checked.ok) return errorResult(`Invalid arguments for ${name}: ${checked.problem}`);
    return execute(checked.value, directContext(ctx)).catch((error: unknown) =>
      errorResult(errorMessage(error)),
    );
  };
  return { execute, call };
}

function erased(needsApproval: NeedsApproval<never>): NeedsApproval {
  return needsApproval === true ? true : (args, ctx) => needsApproval(args as never, ctx);
}

function checkedDefinition(parts: ToolParts, options: readonly string[]): Definition {
  const label = isRecord(parts) && typeof parts['name'] === 'string' ? `tool ${parts['name']}` : 'a tool';
  const definition = new Definition(label, parts, options, INVALID);
  definition.demand(
    'name',
    'a string of 1 to 64 letters, digits, _ and -',
    (value) => typeof value === 'string' && NAME.test(value),
  );
  definition.demand('description', 'a string', (value) => typeof value === 'string');
  definition.expect(
    'timeoutMs',
    `a whole number of milliseconds, 0 (unset) to ${MAX_TIMEOUT_MS}`,
    isWhole(0, MAX_TIMEOUT_MS),
  );
  definition.expect('exclusive', 'a boolean', (value) => typeof value === 'boolean');
  definition.expect('taskQueue', 'a non-empty string', isText);
  definition.expect('onUnknownOutcome', "'retry', 'ask' or 'report'", (value) =>
    ['retry', 'ask', 'report'].includes(value as string),
  );
  definition.expect(
    'needsApproval',
    'true or a function',
    (value) => value === true || typeof value === 'function',
  );
  definition.expect('hints', `an object of booleans: ${HINTS.join(', ')}`, isHints);
  if (options.includes('execute'))
    definition.demand('execute', 'a function', (value) => typeof value === 'function');
  return definition;
}

function isHints(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([hint, set]) => HINTS.includes(hint) && (set === undefined || typeof set === 'boolean'),
    )
  );
}

/** Thrown where a value that should be a tool is none. */
export function notATool(what: string): HoldpointError {
  return new HoldpointError(
    INVALID,
    `Expected ${what} to be made by defineTool or relayTool, or to be a tool literal.`,
  );
}
