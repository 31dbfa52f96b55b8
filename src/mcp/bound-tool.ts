import type { Json, JsonObject } from '../agent/json';
import type { Call } from './call';
import { textContent, type ContentBlock } from './content';
import { declaration, type Declaration } from './declaration';
import type { Definition } from './definition';
import type { InputRequests } from './input-request';
import type { CompleteReply, Reply } from './reply';
import type { Result } from './result';
import { errorMessage, type ToolError } from './tool-error';

/** What every private failure of a handler reads like outside. */
export const TOOL_FAILED = 'Tool execution failed.';

/** What one round of a call came to. */
export type RoundOutcome =
  | {
      readonly kind: 'result';
      readonly result: ToolCallResult;
      /** The handler did not end the call with it: it did not run, threw, or gave what its schema does not take. */
      readonly unfinished?: true;
    }
  | { readonly kind: 'input'; readonly requests: InputRequests };

/** The result of a call as it crosses the wire. */
export interface ToolCallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Json;
  readonly isError?: true;
  /** About the result as a whole. */
  readonly _meta?: JsonObject;
}

/** A definition bound to its handler. */
export interface BoundTool<Context = unknown> {
  readonly definition: Definition<never, never>;
  /**
   * Runs one round on arguments as they were sent. Never throws: what went wrong inside is told to `report`,
   * and the client gets a result that says nothing private.
   */
  runRound(call: Call<Context>, args: Json, report?: (failure: unknown) => void): Promise<RoundOutcome>;
}

/**
 * Binds a handler. Its error, a throw or a rejection reaches the client as `Tool execution failed.` and
 * nothing else.
 *
 * ```ts
 * const tool = handle(greet, ({ name }) => ok(`Hello, ${name}!`));
 * ```
 */
export function handle<Input, Output>(
  definition: Definition<Input, Output>,
  handler: (input: Input) => Result<Output, unknown> | Promise<Result<Output, unknown>>,
): BoundTool {
  return handleWithErrorRenderer(definition, handler, (error) => {
    throw error;
  });
}

/** Binds a handler; the client gets the ToolError that `render` makes of its error. */
export function handleWithErrorRenderer<Input, Output, Failure>(
  definition: Definition<Input, Output>,
  handler: (input: Input) => Result<Output, Failure> | Promise<Result<Output, Failure>>,
  render: (error: Failure) => ToolError,
): BoundTool {
  const replying = async (_call: Call, input: Input): Promise<Result<Reply<Output>, Failure>> => {
    const result = await handler(input);
    return result.ok ? { ok: true, output: { kind: 'complete', output: result.output } } : result;
  };
  return bind(definition, replying, render);
}

/**
 * Binds a handler that sees the {@link Call} and returns a Reply: a result, a result with blocks of its own, or
 * another input round.
 */
export function handleCall<Input, Output, Context = unknown>(
  definition: Definition<Input, Output>,
  handler: (
    call: Call<Context>,
    input: Input,
  ) => Result<Reply<Output>, ToolError> | Promise<Result<Reply<Output>, ToolError>>,
): BoundTool<Context> {
  return bind(definition, handler, (error) => error);
}

function bind<Input, Output, Failure, Context>(
  definition: Definition<Input, Output>,
  handler: (
    call: Call<Context>,
    input: Input,
  ) => Result<Reply<Output>, Failure> | Promise<Result<Reply<Output>, Failure>>,
  render: (error: Failure) => ToolError,
): BoundTool<Context> {
  return {
    definition: definition as Definition<never, never>,
    async runRound(call, args, report) {
      const decoded = await definition.inputCodec.decode(args);
      if (!decoded.ok)
        return unfinished(errorMessage(`Invalid arguments for ${definition.name}: ${decoded.problem}`));
      try {
        const result = await handler(call, decoded.value);
        if (!result.ok) return { kind: 'result', result: rendered(render, result.error, report) };
        const reply = result.output;
        if (reply.kind === 'input') {
          if (Object.keys(reply.requests).length > 0) return reply;
          throw new Error(`Tool ${definition.name} asked for input without any request.`);
        }
        return { kind: 'result', result: await toResult(definition, reply) };
      } catch (error) {
        report?.(error);
        return unfinished(errorMessage(TOOL_FAILED));
      }
    },
  };
}

/** The handler ended the call, whether or not what it gave can be told. */
function rendered<Failure>(
  render: (error: Failure) => ToolError,
  error: Failure,
  report: ((failure: unknown) => void) | undefined,
): ToolCallResult {
  try {
    return toErrorResult(render(error));
  } catch (thrown) {
    report?.(thrown);
    return toErrorResult(errorMessage(TOOL_FAILED));
  }
}

function unfinished(error: ToolError): RoundOutcome {
  return { kind: 'result', result: toErrorResult(error), unfinished: true };
}

/** What `tools/list` publishes for a bound tool. */
export function toolDeclaration<Context>({ definition }: BoundTool<Context>): Declaration {
  return declaration(definition);
}

function toErrorResult({ content, structuredContent }: ToolError): ToolCallResult {
  return { content, ...(structuredContent !== undefined && { structuredContent }), isError: true };
}

async function toResult<Input, Output>(
  { name, outputCodec }: Definition<Input, Output>,
  { output, blocks, meta }: CompleteReply<Output>,
): Promise<ToolCallResult> {
  if (!outputCodec) return { content: blocks ?? marked(output as readonly ContentBlock[], meta) };
  const encoded = await outputCodec.encode(output);
  if (!encoded.ok) throw new Error(`The output of tool ${name} does not fit its schema: ${encoded.problem}`);
  const mirror = typeof encoded.value === 'string' ? encoded.value : JSON.stringify(encoded.value);
  return { content: blocks ?? marked([textContent(mirror)], meta), structuredContent: encoded.value };
}

function marked(
  blocks: readonly ContentBlock[],
  meta: CompleteReply<unknown>['meta'],
): readonly ContentBlock[] {
  return meta ? blocks.map((block) => ({ ...block, _meta: meta })) : blocks;
}
