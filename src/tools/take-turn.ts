import type { Agent } from '../agent/agent';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { HookContext, Hooks } from '../agent/hooks';
import { withCallIds } from '../agent/ids';
import { parseJson, type Json } from '../agent/json';
import type { AssistantMessage, Message } from '../agent/message';
import type { ModelRequest, ModelResponse } from '../agent/model';
import type { ModelReply } from '../agent/run-state';
import { routeCalls } from './route-calls';

export interface TakeTurnOptions {
  readonly agent: Agent;
  readonly hooks?: Hooks | undefined;
  /** Set where the worker has a `waitFor`. */
  readonly waitFor?: { readonly timeoutMs: number } | undefined;
  readonly transcript: readonly Message[];
  /** The run's system prompt, resolved. */
  readonly system?: string | undefined;
  readonly generate: (request: ModelRequest) => Promise<ModelResponse>;
  readonly run: {
    readonly runId: string;
    readonly conversationId?: string | undefined;
    /** Model calls of the run so far, this one included. */
    readonly turn: number;
    readonly context: Json | undefined;
  };
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. Default: now, once the model has answered. */
  readonly now?: number | undefined;
}

/** A turn's reply before the worker has put digests to it. */
export type TurnReply = Omit<ModelReply, 'digest' | 'base' | 'system'>;

/**
 * One turn: hooks, exactly one provider request, and a route for each call of the reply (R13).
 *
 * @throws whatever `generate` throws; HoldpointError `Holdpoint.Run.Failed` when a model hook throws and
 * `Holdpoint.Run.OutputInvalid` when the final text is not what the agent's output schema asks for. None
 * of the two is mended by calling the model again.
 */
export async function takeTurn(options: TakeTurnOptions): Promise<TurnReply> {
  const { agent, hooks, waitFor, generate, run } = options;
  const { turn } = run;
  const ctx: HookContext = {
    runId: run.runId,
    ...(run.conversationId !== undefined && { conversationId: run.conversationId }),
    agent: agent.name,
    turn,
    context: run.context,
  };
  const messages = await messagesToSend(options, ctx);
  const response = await generate(requestOf(options, messages));
  await callHook('afterModel', () => hooks?.afterModel?.(response, ctx));
  const calls = withCallIds(response.toolCalls, turn);
  const message: AssistantMessage =
    calls.length > 0
      ? { role: 'assistant', content: response.text, tool_calls: calls }
      : { role: 'assistant', content: response.text ?? '' };
  const now = options.now ?? Date.now();
  const routes = await routeCalls({ message, tools: agent.tools, hooks, ctx: { ...ctx, now } });
  const output =
    calls.length === 0 ? outputOf(agent, message.content ?? '', response.finishReason) : undefined;
  return {
    message,
    routes,
    usage: response.usage,
    model: response.model,
    finishReason: calls.length > 0 ? 'tool_calls' : response.finishReason,
    ...(waitFor && { waitFor: { timeoutMs: waitFor.timeoutMs } }),
    ...(output !== undefined && { output }),
    // The run keeps its agent's limits from its start; the caller's own go before them (R36).
    ...(turn === 1 && { limits: agent.limits }),
  };
}

async function messagesToSend(
  { hooks, transcript }: TakeTurnOptions,
  ctx: HookContext,
): Promise<readonly Message[]> {
  const decided = await callHook('beforeModel', () => hooks?.beforeModel?.(transcript, ctx));
  if (!decided) return transcript;
  const isList: boolean = Array.isArray(decided.messages);
  if (isList) return decided.messages;
  throw new HoldpointError('Holdpoint.Run.Failed', 'The hook beforeModel returned no `messages` array.');
}

/** Tools and tool choice are left out where there are no tools (R17). */
function requestOf({ agent, system, signal }: TakeTurnOptions, messages: readonly Message[]): ModelRequest {
  const { model, tools, toolChoice, maxTokens, temperature, outputSchema } = agent;
  return {
    model,
    messages: system === undefined ? messages : [{ role: 'system', content: system }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ...(toolChoice !== undefined && tools.length > 0 && { toolChoice }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(outputSchema && { outputSchema }),
    signal,
  };
}

async function callHook<T>(name: 'beforeModel' | 'afterModel', call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new HoldpointError(
      'Holdpoint.Run.Failed',
      `The hook ${name} failed: ${errorMessage(error)}`,
      { hook: name },
      { cause: error },
    );
  }
}

function outputOf(agent: Agent, text: string, finishReason: string): Json | undefined {
  if (!agent.outputSchema) return undefined;
  const value = parseJson(text);
  const checked =
    value === undefined
      ? { ok: false as const, problem: 'it is not valid JSON' }
      : (agent.checkOutput?.(value) ?? { ok: true as const, value });
  if (checked.ok) return checked.value;
  throw new HoldpointError(
    'Holdpoint.Run.OutputInvalid',
    `The final text of agent ${agent.name} does not match its output schema: ${checked.problem}.${finishReason === 'length' ? ' The model stopped at its token limit; raise `maxTokens`.' : ''}`,
    { agent: agent.name, finishReason },
  );
}
