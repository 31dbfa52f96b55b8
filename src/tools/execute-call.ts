import type { Answer } from '../agent/answer';
import { errorMessage } from '../agent/errors';
import { inputRoundOf, type InputRound } from '../agent/input-round';
import { isNoResult } from '../agent/no-result';
import type { HookContext, Hooks } from '../agent/hooks';
import { jsonSize, type JsonObject } from '../agent/json';
import { inputOf } from '../agent/run-result';
import type { ToolOutcome } from '../agent/run-state';
import { errorResult, type Tool, type ToolContext, type ToolResult } from '../agent/tool';
import { applyAfterTool } from './after-tool';
import { approvalRequest, predicateAsks } from './approval-request';
import { checkArguments, readArguments } from './arguments';
import { unlessAbandoned, withinBudget } from './call-budget';
import { outputProblem } from '../agent/output-problem';
import { jsonSchemaCheck } from './json-schema';
import { runHandler } from './run-handler';
import { MAX_RESULT_BYTES, suspensionOf, withinSize } from './tool-result';

/** Where a call stands, and what its tool and hooks are told of it. */
export interface CallContext extends HookContext {
  readonly callId: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Aborts when the run or ask is cancelled. */
  readonly signal: AbortSignal;
  readonly reportProgress?: ToolContext['reportProgress'] | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ExecuteCallOptions {
  /** As registered now; undefined when a deployment took it away. */
  readonly tool: Tool | undefined;
  /** The name that the model called. */
  readonly name: string;
  readonly hooks?: Hooks | undefined;
  /** The model's raw arguments. */
  readonly arguments: string;
  /** What a hook or an approver put in their place. */
  readonly input?: JsonObject | undefined;
  readonly mode: 'run' | 'check' | 'after';
  /** `input` is an approver's edit: the predicate is asked about it (R28). */
  readonly edited?: boolean | undefined;
  /** The answer to the tool's own suspension. */
  readonly answer?: Answer | undefined;
  /** The tool's last round of questions, answered. */
  readonly round?: InputRound | undefined;
  /** `mode: 'after'`: the host's result. */
  readonly result?: ToolResult | undefined;
  /** Budget in milliseconds as recorded with the route; 0 when unset. Default: the tool's. */
  readonly timeoutMs?: number | undefined;
  /** Largest result in bytes (R38). Default 1 MiB. */
  readonly maxResultBytes?: number | undefined;
  readonly ctx: CallContext;
  /** How long to wait for the tool once `ctx.signal` has aborted, in milliseconds. Default 9,000. */
  readonly abortWaitMs?: number | undefined;
}

/** Within the ten seconds that a cancelled run waits for its calls (R34). */
const ABORT_WAIT_MS = 9000;

/**
 * Carries out one step of a call. Whatever happens is an outcome, but for the errors by which a tool says that there
 * is none (`isNoResult`): with those it rejects.
 *
 * `run` checks the arguments and executes the tool; `check` only checks edited arguments of a relay tool;
 * `after` puts a result that a host or an approver gave through the output schema and `afterTool` (R24, R42).
 */
export async function executeCall(options: ExecuteCallOptions): Promise<ToolOutcome> {
  const { name, mode, ctx, abortWaitMs = ABORT_WAIT_MS } = options;
  // A host has already executed what comes back to be looked at.
  if (ctx.signal.aborted) return { is: 'cancelled', ran: mode === 'after' };
  const work = step(options).catch((error: unknown) => {
    if (isNoResult(error)) throw error;
    return failed(`${name} could not be executed: ${errorMessage(error)}`);
  });
  return (await unlessAbandoned(work, ctx.signal, abortWaitMs)) ?? { is: 'cancelled', ran: mode !== 'check' };
}

async function step(options: ExecuteCallOptions): Promise<ToolOutcome> {
  const { tool, name, mode, edited, answer, round } = options;
  if (mode === 'after') return afterHost(options);
  if (!tool) return failed(`Unknown tool: ${name}`);
  const read = options.input ? checkArguments(tool, options.input) : readArguments(tool, options.arguments);
  if (!read.ok) return failed(read.problem);
  // The tool has run on them once it has suspended: its approval is not reopened (R28).
  if (edited && !answer && !round && (await predicateAsks(tool, read.value, options.ctx)))
    return { is: 'asks', request: approvalOf(tool, options, read.input) };
  if (mode === 'check') return { is: 'passed' };
  return run(tool, options, read.input, read.value);
}

async function run(
  tool: Tool,
  options: ExecuteCallOptions,
  input: JsonObject,
  value: unknown,
): Promise<ToolOutcome> {
  const { ctx, answer, round, timeoutMs = tool.timeoutMs } = options;
  const { execute } = tool;
  if (!execute) return failed(`${tool.name} has become a relay tool since it was called; call it again.`);
  let isOver = false;
  const spent = await withinBudget(
    (signal) =>
      runHandler(tool.name, () =>
        execute(value, {
          signal,
          callId: ctx.callId,
          timeoutMs,
          answer,
          ...(round && { round }),
          idempotencyKey: ctx.idempotencyKey,
          runId: ctx.runId,
          conversationId: ctx.conversationId,
          agent: ctx.agent,
          turn: ctx.turn,
          attempt: ctx.attempt,
          context: ctx.context,
          reportProgress: (progress, total, message) => {
            if (!isOver) ctx.reportProgress?.(progress, total, message);
          },
        }),
      ),
    timeoutMs,
    ctx.signal,
  );
  isOver = true;
  const result = spent.is === 'returned' ? spent.value : errorResult(`timed out after ${timeoutMs}ms`);
  const asks = inputRoundOf(result);
  if (asks)
    return jsonSize(asks) <= MAX_RESULT_BYTES
      ? { is: 'round', round: asks }
      : { is: 'result', result: withinSize(tool.name, result) };
  const request = suspensionOf(result);
  if (!request) return finished(options, result, input);
  const fitting = withinSize(tool.name, result);
  return fitting === result ? { is: 'suspended', request } : { is: 'result', result: fitting };
}

async function afterHost(options: ExecuteCallOptions): Promise<ToolOutcome> {
  const { tool, name, result = errorResult(`${name} came back without a result`) } = options;
  // What a person says in a tool's place is in a person's words; a host's result is held to the schema.
  const schema = tool?.source === 'relay' ? tool.outputSchema : undefined;
  // Its plain part was checked at acceptance, as far as the run could.
  const check = schema && (tool?.checkOutput ?? jsonSchemaCheck(schema));
  const problem = !result.isError && check ? outputProblem(check, result.output) : undefined;
  const checked =
    problem === undefined
      ? result
      : errorResult(`The result of ${name} does not match its output schema: ${problem}`);
  return finished(options, checked, options.input ?? inputOf(options.arguments) ?? {});
}

async function finished(
  options: ExecuteCallOptions,
  result: ToolResult,
  input: JsonObject,
): Promise<ToolOutcome> {
  const { name, hooks, ctx, maxResultBytes } = options;
  const context = {
    runId: ctx.runId,
    ...(ctx.conversationId !== undefined && { conversationId: ctx.conversationId }),
    agent: ctx.agent,
    turn: ctx.turn,
    context: ctx.context,
    callId: ctx.callId,
    tool: name,
    input,
  };
  const looked = await applyAfterTool(hooks?.afterTool, result, context);
  return { is: 'result', result: withinSize(name, looked, maxResultBytes) };
}

function approvalOf(tool: Tool, { ctx, arguments: raw }: ExecuteCallOptions, input: JsonObject) {
  return approvalRequest(tool, { callId: ctx.callId, input, arguments: raw, text: '', now: ctx.now });
}

function failed(text: string): ToolOutcome {
  return { is: 'result', result: errorResult(text) };
}
