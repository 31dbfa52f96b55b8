import type { ConnectionLike } from '@temporalio/client';
import type { Json } from '../agent/json';
import type { Limits } from '../agent/limits';
import type { RunStatus } from '../agent/run-state';
import type { ConnectOptions } from '../temporal/connect-options';
import type { DataOptions } from '../temporal/data-options';
import type { TranslateTarget } from '../translate';
import type { ClientLogger } from './absent-worker';

/** Options of {@link createClient}; every one may be left out. */
export interface ClientOptions extends ConnectOptions, DataOptions {
  /** A connection of your own; `address`, `tls` and `apiKey` are then refused, and `disconnect` leaves it open. */
  readonly connection?: ConnectionLike;
  /** Task queue of the workers that are to execute what this client starts. Default `holdpoint`. */
  readonly taskQueue?: string;
  /**
   * `none` for a namespace without Holdpoint's search attributes; `list` and `requests` are then empty.
   * Worker and client must agree. Default `full`.
   */
  readonly searchAttributes?: 'full' | 'none';
  /**
   * Where the warning goes that no worker polls the task queue of a run which a call has waited on for ten
   * seconds; once for each queue. Default: a warning of the process, which Node prints.
   */
  readonly logger?: ClientLogger;
  /** Whom `translate` asks; unused by everything else. Default: OpenAI as the environment has it. */
  readonly model?: TranslateTarget;
}

/** An agent by its name, or as `defineAgent` made it. */
export type AgentRef = string | { readonly name: string };

/** How long a call may take, and what may end it. Neither ever touches the run. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds until the call gives up with `Holdpoint.Client.WaitTimedOut`, above 0; `Infinity` for never.
   * Default 600 000 for the calls that wait for a halt or an end, 60 000 for all others.
   */
  readonly waitMs?: number;
}

/** Options of the calls that give a result. */
export interface ResultOptions extends CallOptions {
  /** `false` leaves `messages` and `toolCalls` empty and `receipts` out, which saves reading them. Default true. */
  readonly messages?: boolean;
}

/** Options of `start`. */
export interface StartOptions extends CallOptions {
  /**
   * 1 to 200 characters, no `/`. Given again with the same agent, input and context it is the same run,
   * open or closed. Default: one that has never been used.
   */
  readonly runId?: string;
  /** What tools and hooks see and the model does not. Default none. */
  readonly context?: Json;
  /** Override the agent's own, one by one. */
  readonly limits?: Limits;
  /** The client's own tenant, as `forTenant` made it for; that is also the default. Any other is refused. */
  readonly tenant?: string;
}

/** Options of `run`: those of `start`, and what the result is to hold. */
export type RunOptions = StartOptions & ResultOptions;

/** Options of `continue`. Agent and context are those of the run that it goes on from. */
export type ContinueOptions = Pick<StartOptions, 'runId' | 'limits'> & ResultOptions;

/** Options of `ask`. */
export interface AskOptions extends ResultOptions {
  /**
   * What to do while the conversation waits for an answer (R40): throw `Holdpoint.Conversation.Pending`, run
   * after it, or decline the open requests first. Default `refuse`.
   */
  readonly whilePending?: 'refuse' | 'queue' | 'decline';
  /** What this ask's tools and hooks see and the model does not. Default none. */
  readonly context?: Json;
  readonly limits?: Limits;
  /** The client's own tenant, as `forTenant` made it for; that is also the default. Any other is refused. */
  readonly tenant?: string;
  /** Milliseconds without an ask or an open request until the conversation closes. Taken by the first ask. Default 90 days. */
  readonly idleTtlMs?: number;
}

/** Options of `startAsk`. */
export type QueueOptions = Omit<AskOptions, 'messages'>;

/** Options of `revokeApproval`. */
export interface RevokeOptions extends CallOptions {
  /** Who takes it back, for the record. */
  readonly by?: string;
  /**
   * Only where these agents lead to, as the run's `grants` name it; `[]` is the run itself. Default: in the run and in
   * all of its sub-agents.
   */
  readonly path?: readonly string[];
}

/** Options of `events`. */
export interface EventsOptions extends CallOptions {
  /** Position of the last event that you have; reading goes on after it. Default: from the first. */
  readonly after?: number;
  /** Wait for what comes until the run has ended. `false` gives what is there. Default true. */
  readonly follow?: boolean;
  /**
   * Besides, what tool calls report while they are under way: events of type `progress`, without a position. Best
   * effort, looked for once a second, and only where `follow` waits for what comes. Default false.
   */
  readonly progress?: boolean;
  /** Milliseconds to wait for the next event, above 0. Default `Infinity`. */
  readonly waitMs?: number;
}

/** Which requests `requests` lists. What is left out does not filter. */
export interface RequestsFilter extends CallOptions {
  readonly agent?: string;
  readonly tenant?: string;
  /** Only requests of this kind, such as `approval`. */
  readonly kind?: string;
  /** Only requests whose approvers name this person or role now. */
  readonly approver?: string;
  /** Runs to look at, at most. Default 1 000. */
  readonly limit?: number;
}

/** Which runs `list` gives. What is left out does not filter. */
export interface ListFilter extends CallOptions {
  /** `idle` is a conversation between asks. */
  readonly status?: RunStatus | 'idle';
  readonly agent?: string;
  readonly tenant?: string;
  /** Rows at most. Default 100. */
  readonly limit?: number;
}

/** Which runs `listPage` gives, and from where on. */
export interface PageFilter extends ListFilter {
  /** Only runs that wait for an answer to a request of this kind, such as `approval`. */
  readonly waitingFor?: string;
  /** Only runs that wait for an answer of this person or role. */
  readonly approver?: string;
  /** `next` of the page before, asked for with the same filter. Default: from the first. */
  readonly cursor?: string;
}

/** A run by its id, or a conversation: its current ask. */
export type AnswerTarget = string | { readonly conversationId: string };

/** What `erase` removes. A string is either, as long as only one of the two exists. */
export type EraseTarget = string | { readonly runId: string } | { readonly conversationId: string };
