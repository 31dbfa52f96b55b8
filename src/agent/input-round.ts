import type { Answer } from './answer';
import { isRecord, jsonSize, type Json, type JsonObject } from './json';
import { isRequestDraft, toRequestDraft, type RequestDraft } from './request';
import { errorResult, type ToolResult } from './tool';

/** How often one call may ask before it has its result. */
export const MAX_ROUNDS = 10;
/** Questions of one round, whoever answers them. */
const MAX_REQUESTS = 16;
/** Of what a tool has kept from one round to the next. */
const MAX_STATE_BYTES = 64 * 1024;
const KEY = 'inputRound';

/** What a tool asks for before it goes on. */
export interface InputRoundDraft {
  /** By keys of the tool's. */
  readonly requests: Readonly<Record<string, RequestDraft>>;
  /** Given back with the answers, as it is. */
  readonly state?: Json;
}

/** What a tool goes on with: the answers to its last round, by the keys that it asked with. */
export interface InputRound {
  readonly answers: Readonly<Record<string, Answer>>;
  readonly state?: Json;
}

/**
 * A result that suspends its call until each of these has its answer: yes, no, or the end of its time, all of which
 * reach the tool. It then runs again, with `ctx.round`.
 */
export function suspendForRound(requests: InputRoundDraft['requests'], state?: Json): ToolResult {
  const round = { requests, ...(state !== undefined && { state }) };
  const problem = roundProblem(round);
  if (problem !== undefined) return errorResult(problem);
  const [first] = Object.values(requests);
  return {
    output: first?.prompt ?? '',
    isError: false,
    metadata: { [KEY]: JSON.parse(JSON.stringify(round)) as JsonObject },
  };
}

/** The round of a result that asks for one; `undefined` for any other result. */
export function inputRoundOf({ metadata }: ToolResult): InputRoundDraft | undefined {
  const round = metadata?.[KEY];
  if (!isRecord(round) || !isRecord(round['requests'])) return undefined;
  const drafts = Object.entries(round['requests']).map(([key, draft]) => [
    key,
    isRequestDraft(draft) ? toRequestDraft(draft) : undefined,
  ]);
  if (drafts.some(([, draft]) => draft === undefined)) return undefined;
  const read: InputRoundDraft = {
    requests: Object.fromEntries(drafts) as InputRoundDraft['requests'],
    ...(round['state'] !== undefined && { state: round['state'] }),
  };
  return roundProblem(read) === undefined ? read : undefined;
}

/** Says that a round asks more than it may, or `undefined`. */
export function tooManyQuestions(requests: object): string | undefined {
  const count = Object.keys(requests).length;
  return count > MAX_REQUESTS
    ? `A round asks 1 to ${MAX_REQUESTS} questions; this one has ${count}.`
    : undefined;
}

function roundProblem({ requests, state }: InputRoundDraft): string | undefined {
  const isEmpty = Object.keys(requests).length === 0;
  const problem = isEmpty ? 'A round without questions has nobody to wait for.' : tooManyQuestions(requests);
  if (problem !== undefined) return problem;
  const bytes = state === undefined ? 0 : jsonSize(state);
  if (bytes > MAX_STATE_BYTES)
    return `What is kept between two rounds has ${bytes} bytes; at most ${MAX_STATE_BYTES} are.`;
  return undefined;
}
