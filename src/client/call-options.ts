import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { isSignal, shownValue, unknownOptions } from '../tools/option-checks';
import type {
  AskOptions,
  CallOptions,
  ContinueOptions,
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

/** The names of a type's options; the compiler keeps the list complete. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const call: Names<CallOptions> = { signal: true, waitMs: true };
const result: Names<ResultOptions> = { ...call, messages: true };
const start: Names<StartOptions> = { ...call, runId: true, context: true, limits: true, tenant: true };
const run: Names<RunOptions> = { ...start, ...result };
const ask: Names<AskOptions> = {
  ...result,
  whilePending: true,
  context: true,
  limits: true,
  tenant: true,
  idleTtlMs: true,
};
const queue: Names<QueueOptions> = {
  ...call,
  whilePending: true,
  context: true,
  limits: true,
  tenant: true,
  idleTtlMs: true,
};
const goOn: Names<ContinueOptions> = { ...result, runId: true, limits: true };
const events: Names<EventsOptions> = { ...call, after: true, follow: true, progress: true };
const requests: Names<RequestsFilter> = {
  ...call,
  agent: true,
  tenant: true,
  kind: true,
  approver: true,
  limit: true,
};
const revoke: Names<RevokeOptions> = { ...call, by: true, path: true };
const list: Names<ListFilter> = { ...call, agent: true, tenant: true, status: true, limit: true };
const page: Names<PageFilter> = { ...list, waitingFor: true, approver: true, cursor: true };
const translate: Names<Pick<CallOptions, 'signal'>> = { signal: true };

/** What each call of the client takes. */
const KNOWN = {
  run,
  start,
  get: result,
  result,
  waitForHalt: result,
  runWithAnswer: result,
  answer: call,
  answerAll: call,
  revokeApproval: revoke,
  noteRefusal: call,
  ask,
  askWithAnswer: result,
  continue: goOn,
  events,
  requests,
  list,
  listPage: page,
  startAsk: queue,
  describe: call,
  cancel: call,
  addMessage: call,
  abandon: call,
  close: call,
  erase: call,
  translate,
} as const;

/**
 * Refuses options that the call does not have, and a `signal` or `messages` that is none; the other values
 * are checked where they are used. Throws `Holdpoint.Client.InvalidOptions`.
 */
export function checkCallOptions(method: keyof typeof KNOWN, options: unknown): void {
  if (!isRecord(options))
    throw invalid(`Expected the options of \`${method}\` to be an object, got ${shownValue(options)}.`);
  const problem = unknownOptions(options, Object.keys(KNOWN[method]), { owner: `\`${method}\`` });
  if (problem !== undefined) throw invalid(problem);
  const { signal, messages } = options;
  if (signal !== undefined && !isSignal(signal))
    throw invalid(`Expected \`signal\` to be an AbortSignal, got ${shownValue(signal)}.`);
  if (messages !== undefined && typeof messages !== 'boolean')
    throw invalid(`Expected \`messages\` to be a boolean, got ${shownValue(messages)}.`);
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
