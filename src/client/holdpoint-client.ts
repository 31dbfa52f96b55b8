import type { Client } from '@temporalio/client';
import type { Answer } from '../agent/answer';
import type { RunEvent } from '../agent/event';
import type { Message, UserMessage } from '../agent/message';
import type { ProgressEvent } from '../agent/progress';
import type { Receipt } from '../agent/receipt';
import type { RunResult } from '../agent/result';
import type { RunStatus } from '../agent/run-state';
import type { TranslateRequest, Translation } from '../translate';
import type { AskReceipt, RefusalNote } from '../agent/wire';
import type { AnswerOutcome } from './answer-all';
import type { ListedRun, RunPage } from './lists';
import type { OpenRequestRow } from './open-requests';
import type {
  AgentRef,
  AnswerTarget,
  AskOptions,
  CallOptions,
  ContinueOptions,
  EraseTarget,
  EventsOptions,
  ListFilter,
  PageFilter,
  QueueOptions,
  RequestsFilter,
  ResultOptions,
  RevokeOptions,
  RunOptions,
  StartOptions,
} from './options';
import type { RunView } from './run-result';

/** Which run it is, whatever its id was used for before or is used for later. */
export interface RunIdentity {
  readonly open: boolean;
  /** As the run published it last, a moment ago perhaps; of a conversation's asks, that of the conversation. */
  readonly status: RunStatus | 'idle';
  readonly firstExecutionId: string;
}

/** What `start` gives. */
export interface StartedRun {
  readonly runId: string;
  /** False for a run that was there before. */
  readonly isNew: boolean;
}

/**
 * Starts runs, reads them, answers what they wait on. Any number of processes may use the same runs at the
 * same time; a client holds nothing but its connection.
 *
 * Run ids are those of `start` and `run`, or `<conversationId>/<n>` for the n-th ask of a conversation.
 *
 * Every call takes `signal` and `waitMs`. Giving up never touches the run. Every call may throw
 * `Holdpoint.Client.WaitTimedOut` (`Holdpoint.Client.NoWorker` where it only lacked a worker's reply),
 * `Holdpoint.Client.Unreachable` and `Holdpoint.Client.InvalidOptions`, and those about a run that is not there
 * `Holdpoint.Run.NotFound` or `Holdpoint.Conversation.NotFound`.
 */
export interface HoldpointClient {
  /**
   * Starts a run and waits until it halts or ends. Gives a result for every status, `failed` included.
   *
   * ```ts
   * const halted = await client.run('refund-desk', 'Please refund order 1047');
   * if (halted.status === 'pending') show(halted.pending);
   * ```
   *
   * Throws as `start` does.
   */
  run(agent: AgentRef, input: string | readonly Message[], options?: RunOptions): Promise<RunResult>;

  /**
   * Starts a run and does not wait for it. With a `runId` that exists, open or closed, it gives that run when
   * agent, input and context are the same, and never starts a second one.
   *
   * ```ts
   * const { runId } = await client.start('refund-desk', text, { runId: `ticket-${ticket.id}` });
   * const halted = await client.waitForHalt(runId);
   * ```
   *
   * Throws `Holdpoint.Run.AlreadyExists` for an id that was started with something else,
   * `Holdpoint.Run.InvalidInput`, `Holdpoint.Worker.MissingSearchAttributes`.
   */
  start(agent: AgentRef, input: string | readonly Message[], options?: StartOptions): Promise<StartedRun>;

  /** Where a run stands now, `running` included. Does not wait for anything but the worker's reply. */
  get(runId: string, options?: ResultOptions): Promise<RunView>;

  /** Waits through all halts until the run has ended. */
  result(runId: string, options?: ResultOptions): Promise<RunResult>;

  /** Waits until the run halts or ends; gives at once a run that is halted. */
  waitForHalt(runId: string, options?: ResultOptions): Promise<RunResult>;

  /**
   * Sends an answer as a signal and waits for the next halt or the end; while calls of the request stay open
   * that is the same halt. An answer without `answerId` gets one from what it says, so that a retry after a
   * crash is a repeat: it changes nothing and gives the same.
   *
   * ```ts
   * if (halted.status !== 'pending') return halted.text;
   * const results = relayCallsOf(halted.pending).map((call) => ({ id: call.id, output: execute(call) }));
   * const done = await client.runWithAnswer(halted.runId, relayAnswer(halted.pending.id, results));
   * ```
   *
   * Throws the types `Holdpoint.Answer.…` (R24, R29).
   */
  runWithAnswer(runId: string, answer: Answer, options?: ResultOptions): Promise<RunResult>;

  /**
   * Sends an answer as a validated update and gives its receipt, without waiting for what the run makes of it.
   * The same answer sent again gives the first receipt, also after the run has ended. `{ conversationId }` in the
   * place of a run's id answers what that conversation's current ask waits on.
   *
   * ```ts
   * const receipt = await client.answer(runId, { id: request.id, ok: true, by: user.email });
   * ```
   *
   * Throws the types `Holdpoint.Answer.…` (R24, R29).
   */
  answer(run: AnswerTarget, answer: Answer, options?: CallOptions): Promise<Receipt>;

  /**
   * Sends answers to several requests of one run, each as `answer` does. Each is accepted or refused by itself; the
   * outcomes come in the order of the answers.
   *
   * ```ts
   * const outcomes = await client.answerAll(runId, halted.requests.map((request) => approve(request.id, { by })));
   * ```
   *
   * Throws `Holdpoint.Answer.Malformed` when one of them is none; nothing is sent then.
   */
  answerAll(runId: string, answers: readonly Answer[], options?: CallOptions): Promise<AnswerOutcome[]>;

  /**
   * Takes back an approval of all calls of a tool (`approve(id, { allCalls: true })`): later calls are asked about
   * again. Those given for a sub-agent's tool are taken back at the outermost run, too. False when there was none.
   * Throws `Holdpoint.Run.Closed`, and for a sub-agent's own run `Holdpoint.Run.InvalidInput`.
   */
  revokeApproval(runId: string, tool: string, options?: RevokeOptions): Promise<boolean>;

  /**
   * Puts an attempt to answer that you refused yourself on the run's record, beside its own refusals. For whoever
   * takes answers in for a run, as an API does. Never pass values of an answer's data.
   */
  noteRefusal(run: AnswerTarget, note: RefusalNote, options?: CallOptions): Promise<void>;

  /**
   * Asks a conversation, starting it with its first ask, and waits until the ask halts or ends. `messages` are
   * the conversation's; everything else of the result is the ask's.
   *
   * ```ts
   * const turn = await client.ask('refund-desk', 'customer-77', 'And order 1052?');
   * ```
   *
   * Throws `Holdpoint.Conversation.Pending`, `…Closed`, `…QueueFull`, `Holdpoint.Run.InvalidInput`.
   */
  ask(
    agent: AgentRef,
    conversationId: string,
    text: string | UserMessage,
    options?: AskOptions,
  ): Promise<RunResult>;

  /**
   * Queues a message of a conversation, starting it with its first one, and does not wait for the ask. `runId` is
   * the ask's; `position` counts the asks before it.
   *
   * Throws as `ask` does.
   */
  startAsk(
    agent: AgentRef,
    conversationId: string,
    text: string | UserMessage,
    options?: QueueOptions,
  ): Promise<AskReceipt>;

  /** `runWithAnswer` for what a conversation's current ask waits on. */
  askWithAnswer(conversationId: string, answer: Answer, options?: ResultOptions): Promise<RunResult>;

  /**
   * What happened in a run, event by event, to the end of the run: model and tool calls with their times and tokens,
   * requests, answers. Read from the run's own history: it needs no worker and costs the run nothing. A reader that
   * was interrupted goes on with `after`. Events hold no arguments and no results.
   *
   * ```ts
   * for await (const event of client.events(runId)) console.log(event.position, event.type);
   * ```
   */
  events(runId: string, options?: EventsOptions & { readonly progress?: false }): AsyncIterable<RunEvent>;
  /** The same; with `progress: true` the latest report of each call under way comes between the events. */
  events(runId: string, options: EventsOptions): AsyncIterable<RunEvent | ProgressEvent>;

  /**
   * Starts a new run from the transcript of one that has ended, such as one at its turn limit, with the same
   * agent and context, and waits as `run` does.
   */
  continue(runId: string, text?: string | UserMessage, options?: ContinueOptions): Promise<RunResult>;

  /**
   * The open requests of all runs, with all that is needed to answer them. Runs that halted a moment ago may
   * still be missing; each row was confirmed by its run unless it says otherwise.
   */
  requests(filter?: RequestsFilter): Promise<OpenRequestRow[]>;

  /** Runs and conversations as the server's lists have them: some moments old, open ones first, the latest of each kind first. */
  list(filter?: ListFilter): Promise<ListedRun[]>;

  /**
   * `list` in pages: `next` is the `cursor` of the next page. A run that ends between two pages may be in both or in
   * neither.
   */
  listPage(filter?: PageFilter): Promise<RunPage>;

  /**
   * Cancels a run, or one ask of a conversation. Resolves once that is on record; `result` waits for the end.
   * Throws `Holdpoint.Run.Closed` for a run that has ended.
   */
  cancel(runId: string, options?: CallOptions): Promise<void>;

  /**
   * Adds a user's message to a run that goes on (R41). What still waits when the run ends joins its transcript, for the
   * next ask or `continue`. Throws `Holdpoint.Run.Closed`, `Holdpoint.Run.InvalidInput`.
   */
  addMessage(runId: string, message: string | UserMessage, options?: CallOptions): Promise<void>;

  /**
   * Declines what a conversation's current ask waits on, and ends that ask. The default reason is "declined".
   * Throws `Holdpoint.Conversation.Closed`.
   */
  abandon(conversationId: string, reason?: string, options?: CallOptions): Promise<void>;

  /** Ends a conversation for good: a later `ask` is refused. Does nothing to one that has ended. */
  close(conversationId: string, options?: CallOptions): Promise<void>;

  /**
   * Deletes a run or a conversation with its whole history, open or closed, and resolves when it is gone. An id
   * that both a run and a conversation have must say which: `erase({ runId })`, `erase({ conversationId })`.
   */
  erase(what: EraseTarget, options?: CallOptions): Promise<void>;

  /**
   * What the server itself knows of a run, or of a conversation, without any worker: whether it is open, and the id
   * of its first execution, which no other run ever has, not even one that takes its id once it is erased.
   */
  describe(run: AnswerTarget, options?: CallOptions): Promise<RunIdentity>;

  /** Makes exactly one provider call: no run, no state (R45). Needs no Temporal server. */
  translate(request: TranslateRequest, options?: { readonly signal?: AbortSignal }): Promise<Translation>;

  /**
   * The same client for one tenant: it starts, lists and reaches only that tenant's runs, by the ids that the tenant
   * gave them, and a run of another is to it as if it did not exist. `null` is for the runs that have no tenant. It
   * shares the connection and ends with it. A tenant has 1 to 64 of the characters A-Z a-z 0-9 . _ -.
   *
   * ```ts
   * const { runId } = await client.forTenant('acme').start('refund-desk', text, { runId: 'ticket-77' });
   * ```
   *
   * Throws `Holdpoint.Client.InvalidOptions`.
   */
  forTenant(tenant: string | null): HoldpointClient;

  /** Temporal's own client on the same connection, for everything that Holdpoint has no word for. */
  readonly temporal: Client;

  /** Closes the connection, unless it was given to `createClient`. Calls in flight fail. */
  disconnect(): Promise<void>;
  /** `disconnect`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
