/** The same loop without Temporal, for scripts and unit tests (R46). */
import { HoldpointError } from './agent/errors';
import { toUserMessage } from './agent/intake';
import type { Answer } from './agent/answer';
import type { Message, UserMessage } from './agent/message';
import { newRun, toInputMessages, toLimits } from './agent/new-run';
import type { RunResult } from './agent/result';
import { visibleMessages } from './agent/run-result';
import type { Transcript } from './agent/run-state';
import { takeAnswer } from './in-process/answering';
import { Conversation, type OpenAsk } from './in-process/conversation';
import { driveRun, type Driven } from './in-process/drive-run';
import { EventStream } from './in-process/event-stream';
import { toSetting, type InProcessOptions, type Setting } from './in-process/options';
import { toPlainJson } from './in-process/plain-json';
import { ResolvedRequests } from './in-process/resolved-requests';
import {
  checkAnswerOptions,
  checkRunCall,
  type InProcessAnswerOptions,
  type InProcessAskOptions,
  type InProcessRunOptions,
} from './in-process/run-options';
import { openHalted, requireTools, savedResult, type Halted } from './in-process/saved-run';
import { toAgent, type Toolset } from './in-process/toolset';

export type { Generate, GenerateCall, GenerateReply, GenerateRequest } from './in-process/generate';
export type {
  Halted,
  InProcessAnswerOptions,
  InProcessAskOptions,
  InProcessOptions,
  InProcessRunOptions,
  Toolset,
};

/**
 * Makes a client whose runs live in this process. Nothing survives it but what the caller keeps: here, and
 * only here, the caller's copy of a halted run is what decides.
 *
 * ```ts
 * const client = createInProcessClient({ generate: ({ messages }) => ({ content: `${messages.length}` }) });
 * const { text } = await client.run('How many messages?', toolkit);
 * ```
 *
 * @throws HoldpointError `Holdpoint.Client.InvalidOptions`, `Holdpoint.Model.InvalidOptions`
 */
export function createInProcessClient(options: InProcessOptions = {}): InProcessClient {
  return new InProcessClient(toSetting(options));
}

/** Runs agents in this process. `createInProcessClient` makes one. */
export class InProcessClient {
  readonly #setting: Setting;
  readonly #resolved = new ResolvedRequests();
  readonly #conversations = new Map<string, Conversation>();

  /** @internal */
  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /**
   * Runs to the end or the first halt. Resolves for every status, `failed` included (R35).
   *
   * @throws HoldpointError `Holdpoint.Run.InvalidInput`, `Holdpoint.Client.InvalidOptions`,
   * `Holdpoint.Tool.Clash` before anything has run
   */
  async run(
    input: string | UserMessage | readonly Message[],
    toolset?: Toolset,
    options: InProcessRunOptions = {},
  ): Promise<RunResult> {
    checkRunCall('run', toolset, options);
    const messages = toInputMessages(toPlainJson(input, 'the input', 'Holdpoint.Run.InvalidInput'));
    const transcript: Transcript = { entries: messages.map((message) => ({ message })) };
    const seed = crypto.randomUUID();
    const driven = this.#prepare(transcript, toolset, options, { runId: `run_${seed}`, seed, from: 0 });
    return this.#drive(driven, options.signal);
  }

  /**
   * Answers a halted run and goes on from exactly where it stood, to the end or the next halt. `halted` is not
   * changed; no user message is added (R27).
   *
   * @throws HoldpointError of a `Holdpoint.Answer` type when the answer is refused, `Holdpoint.Run.InvalidInput`
   * when `halted` is no halted run
   */
  async runWithAnswer(
    halted: Halted,
    answer: Answer,
    options: InProcessAnswerOptions = {},
  ): Promise<RunResult> {
    checkAnswerOptions('runWithAnswer', options);
    const { modelName, hooks } = this.#setting;
    const agent = toAgent(options.toolkit, modelName, undefined);
    const { run, transcript, events } = openHalted(halted, agent, hooks);
    requireTools(run, agent);
    const driven = { run, transcript, agent, events: new EventStream(run, this.#setting, events) };
    const messages = visibleMessages(run, transcript);
    const request = run.requests.find((open) => open.request.id === answer?.id)?.request;
    if (!takeAnswer(run, answer, this.#resolved)) return savedResult(run, transcript, events);
    // The same run may come back as `{messages, pending}`.
    if (request) this.#resolved.noteRebuilt(run, messages, request);
    return this.#drive(driven, options.signal);
  }

  /**
   * Asks in a conversation, which this client remembers by its id. Asks of one conversation run one after the
   * other (R39).
   *
   * @throws HoldpointError `Holdpoint.Conversation.Pending` while it waits for an answer,
   * `Holdpoint.Conversation.QueueFull`, `Holdpoint.Run.InvalidInput`; the signal's reason when it aborts in
   * the queue
   */
  async ask(
    conversationId: string,
    input: string | UserMessage,
    toolset?: Toolset,
    options: InProcessAskOptions = {},
  ): Promise<RunResult> {
    checkRunCall('ask', toolset, options);
    const message = toUserMessage(toPlainJson(input, 'the input', 'Holdpoint.Run.InvalidInput'));
    if (!message) throw invalidInput('Expected `input` to be a text or a user message.');
    const conversation = this.#conversation(conversationId);
    const { transcript } = conversation;
    // Made before the queue, so that a mistake is refused at once.
    const prepare = () => {
      const n = conversation.asks + 1;
      return this.#prepare(transcript, toolset, options, {
        runId: `${conversationId}/${n}`,
        seed: `${conversation.seed}.${n}`,
        from: transcript.entries.length,
        conversationId,
        usedIds: conversation.usedIds,
      });
    };
    prepare();
    this.#meetPending(conversation, options.whilePending ?? 'refuse');
    await conversation.takeTurn(options.signal);
    const driven = prepare();
    conversation.asks += 1;
    transcript.entries.push({ message });
    return this.#driveAsk(conversation, driven, options.signal);
  }

  /**
   * Answers what a conversation's ask waits for. A repeat of an accepted answer changes nothing (R29).
   *
   * @throws HoldpointError of a `Holdpoint.Answer` type, or `Holdpoint.Conversation.NotFound`
   */
  async askWithAnswer(
    conversationId: string,
    answer: Answer,
    options: InProcessAnswerOptions = {},
  ): Promise<RunResult> {
    checkAnswerOptions('askWithAnswer', options);
    const conversation = this.#conversations.get(conversationId);
    const ask = conversation?.open ?? conversation?.last;
    if (!conversation || !ask)
      throw new HoldpointError(
        'Holdpoint.Conversation.NotFound',
        `This client has no conversation ${JSON.stringify(conversationId)}.`,
        { conversationId },
      );
    const changed = takeAnswer(ask.run, answer, this.#resolved, conversation.earlier);
    if (ask.port) {
      if (options.signal) ask.port.cancelWith(options.signal);
      ask.port.notify();
      return ask.result;
    }
    if (!changed) return ask.result;
    const { toolkit } = options;
    const agent = toolkit ? toAgent(toolkit, this.#setting.modelName, undefined) : ask.agent;
    return this.#driveAsk(conversation, { ...ask, agent }, options.signal);
  }

  /** Forgets a conversation: what runs of it is cancelled, what waits in its queue is refused. */
  erase(conversationId: string): void {
    this.#conversations.get(conversationId)?.end();
    this.#conversations.delete(conversationId);
  }

  #prepare(
    transcript: Transcript,
    toolset: Toolset | undefined,
    options: InProcessRunOptions,
    about: Pick<Parameters<typeof newRun>[0], 'runId' | 'seed' | 'from' | 'conversationId' | 'usedIds'>,
  ): Driven {
    const { modelName } = this.#setting;
    const agent = toAgent(toolset, modelName, options.system);
    const run = newRun({
      ...about,
      agent: agent.name,
      now: Date.now(),
      limits: { ...agent.limits, ...toLimits(options.limits) },
      context: toPlainJson(options.context, 'the context', 'Holdpoint.Run.InvalidInput'),
    });
    return { run, transcript, agent, events: new EventStream(run, this.#setting) };
  }

  async #drive(driven: Driven, signal: AbortSignal | undefined): Promise<RunResult> {
    const result = await driveRun(driven, this.#setting, signal).result;
    this.#resolved.note(driven.run);
    return result;
  }

  #driveAsk(conversation: Conversation, driven: Driven, signal: AbortSignal | undefined): Promise<RunResult> {
    const { port, result } = driveRun({ ...driven, earlier: conversation.earlier }, this.#setting, signal);
    const ask: OpenAsk = { ...driven, port, result };
    ask.result = result.then((reached) => {
      delete ask.port;
      this.#resolved.note(ask.run);
      if (reached.status !== 'pending') conversation.endAsk(ask);
      return reached;
    });
    conversation.open = ask;
    return ask.result;
  }

  #meetPending(conversation: Conversation, how: 'refuse' | 'queue' | 'decline'): void {
    if (how === 'refuse') conversation.refusePending();
    if (how !== 'decline') return;
    const declined = conversation.declinePending(Date.now());
    if (declined) void this.#driveAsk(conversation, declined, undefined);
  }

  #conversation(id: string): Conversation {
    if (typeof id !== 'string' || id === '' || id.includes('/'))
      throw invalidInput('Expected a conversation id to be a non-empty string without a slash.');
    const known = this.#conversations.get(id) ?? new Conversation(id);
    this.#conversations.set(id, known);
    return known;
  }
}

function invalidInput(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', problem);
}
