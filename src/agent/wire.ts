/**
 * The names and shapes that other processes and other SDKs depend on. A test pins them with literals:
 * renaming one breaks runs that are open now.
 */
import type { Answer } from './answer';
import type { ErrorInfo } from './errors';
import type { PlacelessEvent } from './event';
import type { InputRound } from './input-round';
import type { Json, JsonObject } from './json';
import type { LimitName, Limits } from './limits';
import type { Message, UserMessage } from './message';
import type { Usage } from './model';
import type { Receipt, Rejection } from './receipt';
import type { Request } from './request';
import type { ToolResult } from './tool';
import type { CallMark, Grant, ParentRef, RunState, RunStatus, Transcript } from './run-state';

export const WORKFLOW_RUN = 'agentRun';
export const WORKFLOW_CONVERSATION = 'agentConversation';
/** Tells the endpoints of webhooks of one event; its shapes are in `webhook-event`. */
export const WORKFLOW_NOTIFY = 'agentNotify';

export const SIGNAL_RUN_WITH_ANSWER = 'runWithAnswer';
export const SIGNAL_ADD_MESSAGE = 'addMessage';
export const SIGNAL_CHILD_REPORT = 'childReport';
export const SIGNAL_NOTE_REFUSAL = 'noteRefusal';
/** A run tells its sub-agent's that an approval of all calls is taken back. */
export const SIGNAL_REVOKE = 'revoke';

export const UPDATE_ANSWER = 'answer';
export const UPDATE_ASK = 'ask';
export const UPDATE_CANCEL = 'cancel';
export const UPDATE_ABANDON = 'abandon';
export const UPDATE_CLOSE = 'close';
export const UPDATE_REVOKE = 'revoke';

export const QUERY_STATE = 'state';
export const QUERY_TRANSCRIPT = 'transcript';

export const ACTIVITY_CALL_MODEL = 'callModel';
export const ACTIVITY_CALL_TOOL = 'callTool';
export const ACTIVITY_WAIT_FOR = 'waitFor';
export const ACTIVITY_NOTIFY = 'notify';
export const ACTIVITY_NOTIFY_TARGETS = 'notifyTargets';

export const SEARCH_ATTRIBUTES = {
  agent: 'HoldpointAgent',
  status: 'HoldpointStatus',
  waitingFor: 'HoldpointWaitingFor',
  tenant: 'HoldpointTenant',
  deadline: 'HoldpointDeadline',
} as const;

/** Memo key of the bounded list of open requests. */
export const MEMO_KEY = 'holdpoint';

/** A conversation's workflow id; a standalone run's is its run id. */
export const CONVERSATION_PREFIX = 'conversation/';

/** The memo: at most 16 kB. A change of it marks a halt or its end for clients that wait. */
export interface RunMemo {
  readonly status: RunStatus | 'idle';
  readonly runId: string;
  /** Goes up with every change, so that a waiting client can tell two halts apart. */
  readonly change: number;
  readonly requests: readonly MemoRequest[];
  /** What happened since the memo last changed, as far as no other event of the history tells it (R44). */
  readonly events?: readonly MemoEvent[];
  /** Not all requests, or not all of their prompts, fit. */
  readonly truncated?: true;
}

export type MemoEvent = PlacelessEvent;

export interface MemoRequest {
  readonly id: string;
  readonly kind: string;
  readonly prompt: string;
  readonly expiresAt?: string;
}

/** Input of `agentRun`: plain JSON, so that any Temporal SDK can start it. */
export interface AgentRunInput {
  readonly agent: string;
  /** A user's text, or a whole transcript to go on from. */
  readonly input: string | readonly Message[];
  readonly context?: Json;
  readonly limits?: Limits;
  readonly tenant?: string;
  /** Set where an agent starts a sub-agent. */
  readonly parent?: ParentRef;
}

/** Input of `agentConversation`. */
export interface AgentConversationInput {
  readonly agent: string;
  readonly context?: Json;
  readonly limits?: Limits;
  readonly tenant?: string;
  /** Milliseconds without an ask or an open request after which it closes. Default 90 days. */
  readonly idleTtlMs?: number;
}

export const DEFAULT_IDLE_TTL_MS = 90 * 24 * 60 * 60 * 1000;

/** Input of the update `ask`. */
export interface AskMessage {
  readonly input: string | UserMessage;
  /** The agent of this ask, where it is not the conversation's. */
  readonly agent?: string;
  readonly context?: Json;
  readonly limits?: Limits;
  /** What to do while the conversation waits for an answer (R40). Default `refuse`. */
  readonly whilePending?: 'refuse' | 'queue' | 'decline';
}

/** What became of a message to a conversation. */
export interface AskReceipt {
  /** `<conversationId>/<n>`. */
  readonly runId: string;
  /** Asks before it in the queue. */
  readonly position: number;
}

/** A message to a running run (R41). */
export type AddMessageInput = string | UserMessage;

/** Input of the signal `noteRefusal`. */
export interface RefusalNote {
  readonly requestId?: string;
  readonly answerId?: string;
  /** Who tried, and where. */
  readonly by?: string;
  readonly channel?: string;
  /** Why it was refused; no value of the answer's data. */
  readonly error: ErrorInfo;
}

/** The answer of the query `state`. Holds neither messages nor tool outputs. */
export interface RunSnapshot {
  readonly runId: string;
  readonly agent: string;
  readonly conversationId?: string;
  readonly tenant?: string;
  readonly status: RunStatus;
  readonly text: string;
  readonly output?: Json;
  readonly turns: number;
  readonly usage: Usage;
  readonly model: string;
  readonly toolCallCount: number;
  readonly limit?: LimitName;
  readonly error?: ErrorInfo;
  readonly requests: readonly SnapshotRequest[];
  readonly receipts: readonly AcceptedAnswer[];
  readonly rejections: readonly Rejection[];
  /** Approvals of all calls of a tool, those that were taken back included. */
  readonly grants?: readonly SnapshotGrant[];
  /** The run's messages are `[from, to)` of its transcript, placeholders included (R27). */
  readonly from: number;
  readonly to: number;
  /** Per tool message: what the transcript does not say. */
  readonly marks: readonly CallMark[];
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Not all of it fits in a query's result: texts are cut, or metadata, outputs and old receipts left out. */
  readonly truncated?: true;
  /** Conversations only. */
  readonly conversation?: ConversationSnapshot;
}

export interface SnapshotGrant extends Omit<Grant, 'below'> {
  readonly inForce: boolean;
}

export interface SnapshotRequest {
  readonly request: Request;
  readonly callIds: readonly string[];
  readonly openedAt: string;
}

/** A receipt with the digest of what its answer said, so that a client can recognise a repeat. */
export interface AcceptedAnswer {
  readonly receipt: Receipt;
  readonly fingerprint: string;
  /** The turn whose calls it is about. */
  readonly turn: number;
}

export interface ConversationSnapshot {
  readonly closed: boolean;
  /** The number of the last ask that started, from 1; 0 before the first. */
  readonly asks: number;
  /** Run ids that wait their turn. */
  readonly queued: readonly string[];
  /** The asks that ended, oldest first, at most 100; of large ones the older lack metadata, output or marks. */
  readonly ended: readonly RunSnapshotSummary[];
}

/** An ended ask: a snapshot without what only an open run needs. */
export type RunSnapshotSummary = Omit<
  RunSnapshot,
  'conversation' | 'requests' | 'receipts' | 'rejections' | 'grants' | 'truncated'
>;

/** The same as it is kept: its text is in the transcript. */
export type EndedAsk = Omit<RunSnapshotSummary, 'text'>;

/** Input of the query `transcript`. `from` -1 asks for the preamble: the system prompt and the context. */
export interface TranscriptPageInput {
  readonly from: number;
  /** Bytes of JSON at most, but always at least one message. Default 512 kB. */
  readonly maxBytes?: number;
}

export interface TranscriptPage {
  readonly from: number;
  readonly messages: readonly Message[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: number;
  /** Messages in all. */
  readonly length: number;
  readonly system?: string;
  readonly context?: Json;
}

/** One message of a tail: in line, by digest, or (large, and the worker made no digest) left to the query. */
export type TailItem = { readonly m: Message } | { readonly d: string } | { readonly q: 1 };

/** A transcript by reference: a prefix that a worker has seen, and what came after it. */
export interface TranscriptRef {
  /** Absent before the first model call: the tail is then the whole transcript. */
  readonly base?: { readonly digest: string; readonly length: number };
  readonly tail: readonly TailItem[];
}

/** The run's context: in line when small, otherwise read once per worker from the preamble. */
export type ContextRef = { readonly value?: Json } | { readonly q: 1 };

/** Who a run is, as its activities need it. */
export interface RunRef {
  readonly runId: string;
  readonly agent: string;
  readonly conversationId?: string;
  readonly seed: string;
  /** Model calls of the run so far, the one at hand included, from 1. */
  readonly turn: number;
  readonly context: ContextRef;
}

/** Input of the activity `callModel`; its result is a `ModelReply`. */
export interface CallModelInput {
  readonly run: RunRef;
  readonly transcript: TranscriptRef;
  /** Digest of the system prompt; absent on a run's first model call, which resolves it. */
  readonly system?: string;
  /** The previous ask's prompt, so that an unchanged one is not sent again. */
  readonly previousSystem?: string;
}

/** Raw arguments of a call: in line when small, otherwise from the assistant message at `at`. */
export type ArgumentsRef =
  { readonly text: string } | { readonly at: number; readonly digest?: string; readonly index: number };

/** Input of the activity `callTool`; its result is a `ToolOutcome`. */
export interface CallToolInput {
  readonly run: RunRef;
  readonly call: {
    readonly index: number;
    readonly id: string;
    readonly name: string;
    readonly arguments: ArgumentsRef;
    /** Arguments that a hook or an approver put in their place. */
    readonly input?: JsonObject;
  };
  readonly mode: 'run' | 'check' | 'after';
  /** The arguments are an approver's edit: ask the predicate again (R28). */
  readonly edited?: true;
  /** The answer to the tool's own suspension. */
  readonly answer?: Answer;
  /** The tool's last round of questions, answered. */
  readonly round?: InputRound;
  /** `mode: 'after'`: the host's result. */
  readonly result?: ToolResult;
  readonly timeoutMs: number;
}

/** Input of the activity `waitFor`; its result is a `WaitForOutcome`. */
export interface WaitForInput {
  readonly run: RunRef;
  readonly request: Request;
}

/** What continue-as-new carries. `schema` tells a later version how to read it. */
export interface CarriedState {
  readonly schema: 1;
  readonly transcript: Transcript;
  readonly run?: RunState;
  readonly memoChange: number;
  /** How many executions of the chain came before. */
  readonly execution: number;
  readonly lists: 'full' | 'none';
  readonly stored?: true;
  readonly conversation?: CarriedConversation;
}

/** The part of a conversation that outlives its asks. */
export interface CarriedConversation {
  asks: number;
  queue: QueuedAsk[];
  ended: EndedAsk[];
  /** Receipts of earlier asks, so that a late repeat or a second answer is recognised (R29). */
  earlier: AcceptedAnswer[];
  usedIds: string[];
  idleSince: number;
  /** Why it takes no more asks; it ends once the ask at hand has. */
  closedBy?: ConversationOutcome['closedBy'] | 'cancel';
  /** Updates that were carried out, oldest first, at most 100. */
  taken: TakenUpdate[];
}

/** An update by its id, with what its sender got. The server forgets both when a workflow continues as new. */
export interface TakenUpdate {
  readonly id: string;
  /** Plain JSON; absent for updates that give nothing. */
  readonly outcome?: unknown;
}

export interface QueuedAsk {
  readonly n: number;
  readonly message: UserMessage;
  readonly agent?: string;
  readonly context?: Json;
  readonly limits?: Limits;
}

/** The result of `agentConversation`. */
export interface ConversationOutcome {
  readonly asks: number;
  readonly closedBy: 'close' | 'idle' | 'transcriptSize';
}
