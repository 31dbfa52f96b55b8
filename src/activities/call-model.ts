import { Context } from '@temporalio/activity';
import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import { jsonSize, type Json } from '../agent/json';
import type { Base, ModelReply } from '../agent/run-state';
import type { CallModelInput } from '../agent/wire';
import { generateWithRetries } from '../models/retry';
import { resolveInstructions } from '../tools/instructions';
import { takeTurn, type TurnReply } from '../tools/take-turn';
import { toApplicationFailure } from './failures';
import { noted, withHeartbeats, type Heartbeats } from './heartbeats';
import { withinModelBound } from './model-deadline';
import { agentOf, transcriptSource, type Services } from './services';
import type { TranscriptSource } from './transcript-source';

/** A message over this many bytes does not travel: the engine takes 2 MB, everything around it included (R38). */
const MAX_REPLY_BYTES = 1_048_576;

/** A system prompt travels with a run's first reply, and in one query with the context. */
const MAX_SYSTEM_BYTES = 524_288;

/** The activity `callModel`: one turn's model call, with a route for each call of the reply. */
export function createCallModel(services: Services): (input: CallModelInput) => Promise<ModelReply> {
  return async (input) => {
    const context = Context.current();
    try {
      return await withHeartbeats(context, (heartbeats) => callModel(services, context, heartbeats, input));
    } catch (error) {
      // Before anything else: a cancelled call, or one whose worker shuts down, is no failure.
      context.cancellationSignal.throwIfAborted();
      throw toApplicationFailure(error, 'Holdpoint.Run.Failed');
    }
  };
}

async function callModel(
  services: Services,
  context: Context,
  heartbeats: Heartbeats,
  input: CallModelInput,
): Promise<ModelReply> {
  const agent = agentOf(services, input.run.agent);
  const source = transcriptSource(services, context);
  // Read before the model's time begins: a slow or absent workflow worker must not cost it any.
  const { messages, digest, length } = await source.transcript(input.transcript);
  const userContext = await source.context(input.run);
  const system = await systemOf(agent, source, input, userContext);
  const { runId, conversationId, turn } = input.run;
  const reply = await withinModelBound(context, (signal) =>
    takeTurn({
      agent,
      hooks: services.hooks,
      waitFor: services.waitFor && { timeoutMs: services.waitForTimeoutMs },
      transcript: messages,
      system: system.text === '' ? undefined : system.text,
      generate: generateFor(services, agent, context, heartbeats),
      run: { runId, conversationId, turn, context: userContext },
      signal,
    }),
  );
  return named(services, reply, { digest, length }, system);
}

/** One counter for the whole call, on whatever worker its requests were made (R37). */
function generateFor(
  { models, retries }: Services,
  agent: Agent,
  context: Context,
  heartbeats: Heartbeats,
): Parameters<typeof takeTurn>[0]['generate'] {
  const { provider, model } = models.resolve(agent.model);
  const { failed } = noted(context);
  return (request) =>
    generateWithRetries(
      provider,
      { ...request, model },
      {
        retries,
        alreadyFailed: typeof failed === 'number' ? failed : 0,
        onFailure: (count) => heartbeats.note({ failed: count }),
      },
    );
}

interface ResolvedSystem {
  readonly text: string;
  readonly digest: string;
  /** The run does not have it yet. */
  readonly isNew: boolean;
}

/** Resolved by a run's first model call and kept with the run; "" where the agent has no instructions. */
async function systemOf(
  agent: Agent,
  source: TranscriptSource,
  { run, system, previousSystem }: CallModelInput,
  context: Json | undefined,
): Promise<ResolvedSystem> {
  if (system !== undefined) return { text: await source.system(system), digest: system, isNew: false };
  const { runId, conversationId } = run;
  const text = await resolveInstructions(agent, {
    runId,
    ...(conversationId !== undefined && { conversationId }),
    context,
  });
  const bytes = jsonSize(text ?? '');
  // Before the model is asked: the run keeps the prompt, and could not.
  if (bytes > MAX_SYSTEM_BYTES)
    throw new HoldpointError(
      'Holdpoint.Run.Failed',
      `The instructions of agent ${agent.name} have ${bytes} bytes; at most ${MAX_SYSTEM_BYTES} can be kept. Shorten them, or let a tool look things up.`,
      { agent: agent.name, bytes, maxBytes: MAX_SYSTEM_BYTES },
    );
  const digest = source.putSystem(text ?? '');
  return { text: text ?? '', digest, isNew: digest !== previousSystem };
}

/** The reply with the digests by which later calls refer to it. */
function named(services: Services, turn: TurnReply, seen: Base, system: ResolvedSystem): ModelReply {
  const { cache, lists, webhooks, stored } = services;
  const { text, digest, isNew } = system;
  const reply: ModelReply = {
    ...turn,
    digest: cache.putMessage(turn.message),
    base: seen,
    ...(isNew && { system: { text, digest } }),
    ...(lists === 'none' && { lists }),
    ...(stored && { stored }),
    // Without endpoints nobody would hear of it.
    ...(webhooks && webhooks.endpoints().length > 0 && { notify: true }),
  };
  const bytes = jsonSize(reply);
  if (bytes <= MAX_REPLY_BYTES) return reply;
  throw new HoldpointError(
    'Holdpoint.Model.InvalidResponse',
    `The model's reply, with its ${turn.routes.length} calls${isNew ? ' and the system prompt' : ''}, has ${bytes} bytes; at most ${MAX_REPLY_BYTES} can be kept. Set \`maxTokens\`, or ask for less at once.`,
    { bytes, maxBytes: MAX_REPLY_BYTES },
  );
}
