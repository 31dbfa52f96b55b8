import type { Answer } from './answer';
import type { ErrorInfo } from './errors';
import type { InputRoundDraft } from './input-round';
import type { Json, JsonObject } from './json';
import type { LimitName, Limits } from './limits';
import type { AssistantMessage, Message, UserMessage } from './message';
import type { Usage } from './model';
import type { Request, RequestDraft } from './request';
import type { Receipt, Rejection } from './receipt';
import type { Route } from './route';
import type { ToolResult } from './tool';

/** `running` and `pending` are open; the others are how a run ended (R35). */
export type RunStatus = 'running' | 'pending' | 'done' | 'incomplete' | 'cancelled' | 'failed';

/** What waits, with its size as JSON: to measure all of it again with each arrival takes too long in a flood. */
export interface Sized<T> {
  readonly value: T;
  readonly bytes: number;
}

/** One message of a transcript with the digest that the worker gave it, where a worker made it. */
export interface Entry {
  readonly message: Message;
  readonly digest?: string;
}

/** The prefix that the last model call saw: what its digest covers is `entries[0..length)`. */
export interface Base {
  readonly digest: string;
  readonly length: number;
}

/** A transcript as its run or conversation keeps it. Append-only: what a model call saw never changes. */
export interface Transcript {
  entries: Entry[];
  base?: Base;
  system?: { readonly text: string; readonly digest: string };
}

/** Why a call waits on a request. */
export type WaitPurpose =
  /** It may not run, or be relayed, before the answer. */
  | 'hold'
  /** A host executes it. */
  | 'relay'
  /** The tool itself suspended. */
  | 'tool'
  /** A person must say what became of it (R33). */
  | 'reconcile'
  /** The tool asks several things at once, and goes on with whatever is said to each. */
  | 'round';

/** Where a call stands. A call has a result exactly when it is `settled` (R16). */
export type CallPhase =
  /** Not looked at yet, or cleared by the last hold: `holds` of its route from `hold` on are still to pass. */
  | { readonly is: 'new' }
  /** May run, or be relayed. */
  | { readonly is: 'cleared' }
  | { readonly is: 'running' }
  | { readonly is: 'waiting'; readonly requestId: string; readonly purpose: WaitPurpose }
  | DelegatedPhase
  /** The tool's own suspension was answered: it runs once more with the answer (R28). */
  | { readonly is: 'answered'; readonly answer: Answer }
  /**
   * The host's result, before the worker has looked at it (R24, R42). `unsure`: it must, because not all of the
   * schema was checked at acceptance.
   */
  | { readonly is: 'returned'; readonly result: ToolResult; readonly unsure?: true }
  | { readonly is: 'settled'; readonly result: ToolResult; readonly digest?: string };

/** A sub-agent works on it, in a run of its own. */
export interface DelegatedPhase {
  readonly is: 'delegated';
  /** The sub-agent's run. */
  readonly childId: string;
  /** Of its last report. */
  readonly seq: number;
  /** It waits for answers alone, as far as it has said. */
  readonly halted: boolean;
  /** Ids of the requests that it has reported. */
  readonly known: readonly string[];
}

/** Where a sub-agent's request comes from. Its calls are the sub-agent's, and `calls` of the request their places here. */
export interface Guest {
  readonly childId: string;
  /** The call of this run that the sub-agent works on. */
  readonly callIndex: number;
  /** The request's id there. */
  readonly requestId: string;
  readonly calls: CallState[];
}

/** What a sub-agent is still to be told: an accepted answer, or that an approval of all calls is taken back. */
export type Forward = { readonly childId: string } & (
  { readonly answer: Answer } | { readonly revoke: Revocation }
);

/** The run that a sub-agent works for. */
export interface ParentRef {
  readonly runId: string;
  readonly workflowId: string;
  readonly callId: string;
  /** Agents from the outermost run's to the parent's. */
  readonly path: readonly string[];
}

/** One call of the open turn. Its key is (turn, index), never `id` (R19). */
export interface CallState {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly route: Route;
  phase: CallPhase;
  /** How many of the route's holds are passed. */
  hold: number;
  /** Arguments that an approver put in place of the model's. */
  edited?: JsonObject;
  /** The edited arguments still need the worker's checks (R28). */
  recheck?: true;
  /** An approver let it run: an unknown outcome is asked about, not repeated (R33). */
  approved?: true;
  /** The answer to the tool's own suspension, for an execution that has to be repeated (R28). */
  answer?: Answer;
  /** The tool's round of questions, open or answered. */
  round?: CallRound;
  /** The prompt of the tool's own first suspension (R28). */
  suspendedFor?: string;
  /** Why nobody knows what its last execution did: asked about, then reported (R33). */
  unknown?: string;
  /** How many requests this call has opened; part of the next one's id. */
  requests: number;
}

/** One of up to ten rounds of questions that a tool asks in the middle of a call. */
export interface CallRound {
  /** From 1. */
  readonly number: number;
  /** The keys of the questions that are open, by the ids of their requests. */
  readonly asked: Readonly<Record<string, string>>;
  /** What was said to the others, by their keys. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The tool's own, to be given back. */
  readonly state?: Json;
}

/** An approval of all calls of a tool that holds now, for the rest of the run. */
export interface StandingGrant {
  readonly tool: string;
  /** The request whose answer said so. */
  readonly requestId: string;
  readonly by?: string;
  readonly roles?: readonly string[];
  /** Given inside a sub-agent: the agents that lead to it. */
  readonly path?: readonly string[];
  /** An ISO instant. */
  readonly at: string;
}

/** An approver's decision that all calls of a tool may run, and what became of it. */
export interface Grant extends StandingGrant {
  /** The same one level down: the sub-agent's run, and the request's id there. */
  readonly below?: { readonly childId: string; readonly requestId: string };
  /** An ISO instant. */
  readonly revokedAt?: string;
  readonly revokedBy?: string;
}

/** Which approvals of all calls are taken back: those of a tool, or of them those of one place or one request. */
export interface Revocation {
  readonly tool: string;
  readonly by?: string;
  /** The agents that lead to where it was given; [] for the run itself. */
  readonly path?: readonly string[];
  readonly requestId?: string;
}

/** A request that the run waits on, with the calls (indexes of the open turn) that it is about. */
export interface OpenRequest {
  /** Replaced as a whole when its policy makes progress. */
  request: Request;
  readonly calls: readonly number[];
  readonly purpose: WaitPurpose;
  readonly openedAt: number;
  /** Of the request, as JSON. */
  readonly bytes: number;
  /** `asked`: the worker's `waitFor` was asked and did not answer in time; the run halts (R32). */
  waitFor?: 'asked';
  readonly guest?: Guest;
  /** The worker's webhooks have been told of it. */
  told?: true;
}

/** What the transcript does not say about a call's result. `at` is the index of its tool message. */
export interface CallMark {
  readonly at: number;
  readonly isError: boolean;
  readonly metadata?: JsonObject;
  /** While halted: the id of the request that the call waits on. */
  readonly pending?: string;
  /** The arguments it ran with, where they were not the model's. */
  readonly input?: JsonObject;
}

/** Why a run must stop, set from outside the loop. */
export type Stop =
  | { readonly for: 'cancel'; readonly reason?: string }
  | { readonly for: 'limit'; readonly limit: LimitName }
  | { readonly for: 'failure'; readonly error: ErrorInfo };

/**
 * All that a run knows beside its transcript. Plain JSON, so that it travels through continue-as-new and
 * a saved file alike. Loop and intake alone change it.
 */
export interface RunState {
  readonly schema: 1;
  readonly runId: string;
  readonly agent: string;
  readonly conversationId?: string;
  readonly tenant?: string;
  /** This run is a sub-agent's. */
  readonly parent?: ParentRef;
  /** Seed of every id that the run derives: its chain's first execution, and the ask's number (R10). */
  readonly seed: string;
  readonly context?: Json;
  limits: Limits;
  /** Index of the run's first message in its transcript; not 0 in a conversation's later asks. */
  readonly from: number;
  readonly startedAt: number;
  status: RunStatus;
  /** Model calls made in the whole run, and since the last input from outside (R36). */
  turn: number;
  turnsSinceInput: number;
  /** The open turn's calls, in the order of its message; [] between turns. */
  calls: CallState[];
  /** The open turn's host: each request is first offered to the worker's `waitFor` (R32). */
  waitFor?: { readonly timeoutMs: number };
  /** The worker has webhooks, and how many events they have been told. */
  notify?: true;
  events?: number;
  requests: OpenRequest[];
  receipts: ReceiptRecord[];
  rejections: Rejection[];
  /** Decisions about all calls of a tool, taken back ones included. */
  grants?: Grant[];
  /** Accepted answers and revocations for sub-agents, in their order, until they are sent. */
  forwards?: Forward[];
  /** Answers that came by signal before their request (R30). */
  held: Sized<Answer>[];
  /** Messages from outside, not yet in the transcript (R41). */
  inbox: Sized<UserMessage>[];
  /** Ids that requests of this run have had, beside the generated ones (R10). */
  usedIds: string[];
  marks: CallMark[];
  usage: Usage;
  toolCallCount: number;
  /** Milliseconds of activity so far, and since when the run is active now. */
  activeMs: number;
  model?: string;
  stop?: Stop;
  text: string;
  output?: Json;
  limit?: LimitName;
  error?: ErrorInfo;
  endedAt?: number;
}

/** An accepted answer: its receipt, and what is needed to recognise a repeat (R29). */
export interface ReceiptRecord {
  readonly receipt: Receipt;
  readonly fingerprint: string;
  /** The turn whose calls it is about. */
  readonly turn: number;
}

/** What one model call brought back. `routes` stand in the order of the message's calls. */
export interface ModelReply {
  readonly message: AssistantMessage;
  readonly digest?: string;
  /** The digest of the prefix that this call saw. */
  readonly base?: Base;
  /** Present when this call resolved the system prompt; without `text` it is the previous ask's. */
  readonly system?: { readonly text?: string; readonly digest: string };
  readonly routes: readonly Route[];
  readonly usage: Usage;
  readonly model: string;
  readonly finishReason: string;
  /** The worker has a `waitFor` (R32). */
  readonly waitFor?: { readonly timeoutMs: number };
  /** The final text as the agent's output schema reads it. */
  readonly output?: Json;
  /** With a run's first turn: the agent's own limits, for what the caller left open (R36). */
  readonly limits?: Limits;
  /** The worker runs without search attributes: the run must not set any, or its task fails for ever. */
  readonly lists?: 'none';
  /** The worker keeps what is large elsewhere: the run may carry more when it continues as new. */
  readonly stored?: true;
  /** The worker has webhooks: the run tells of its events by `agentNotify`. */
  readonly notify?: true;
}

/** What became of one execution of a call. */
export type ToolOutcome =
  | { readonly is: 'result'; readonly result: ToolResult; readonly digest?: string }
  | { readonly is: 'suspended'; readonly request: RequestDraft }
  | { readonly is: 'round'; readonly round: InputRoundDraft }
  /** Edited arguments need an approval of their own (R28). */
  | { readonly is: 'asks'; readonly request: RequestDraft }
  /** Edited arguments of a relay tool passed the worker's checks. */
  | { readonly is: 'passed' }
  /** It may have run; nobody knows what became of it (R33). */
  | { readonly is: 'unknown'; readonly why: string }
  /** It was cancelled, or not started in time; `ran` says whether it may have begun. */
  | { readonly is: 'cancelled'; readonly ran: boolean };
