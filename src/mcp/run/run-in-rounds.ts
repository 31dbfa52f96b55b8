import { HoldpointError } from '../../agent/errors';
import { isRecord, type Json, type JsonObject } from '../../agent/json';
import { isNoResult } from '../../agent/no-result';
import type { RequestDraft } from '../../agent/request';
import { errorResult, type ToolContext, type ToolResult } from '../../agent/tool';
import { MAX_ROUNDS, suspendForRound, tooManyQuestions } from '../../agent/input-round';
import { offerTo } from '../capabilities';
import type { InputRequests } from '../input-request';
import { answerOwn, capabilitiesOf, sortRound, type Answerers } from './answerers';
import { toRequest, toResponse, type Asker } from './to-request';

/** What one round came to: the call's result, or what it asks for before it goes on. */
export type Round =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'input'; readonly requests: InputRequests; readonly requestState?: string };

/** Carries out one round, on exactly the responses of the round before: under their keys there is nothing else. */
export type RunRound = (
  responses: Readonly<Record<string, Json>>,
  requestState: string | undefined,
) => Promise<Round>;

/** How the rounds of a call are gone through. */
export interface RoundRules extends Answerers {
  readonly asker: Asker;
  /** How long a person has to answer, in milliseconds. Default: as long as it takes. */
  readonly expiresInMs?: number;
}

/**
 * Goes through the rounds of a call until it has its result or a person is asked. Then the call is suspended, and
 * the next execution begins with the round after: no round runs twice.
 */
export async function runInRounds(
  ctx: ToolContext,
  rules: RoundRules,
  runRound: RunRound,
): Promise<ToolResult> {
  // A transcript alone does not hold what a tool keeps between its rounds, and none of them may run twice.
  if (ctx.answer && !ctx.round)
    return errorResult(
      `${rules.asker.tool} cannot go on from a transcript. Answer it while its run is there.`,
    );
  let { responses, requestState, number } = resumed(ctx);
  for (let ran = false; ; ran = true) {
    const round = await runRound(alone(responses), requestState).catch((error: unknown) => {
      throw ran ? interrupted(rules.asker, error) : error;
    });
    if (round.kind === 'result') return round.result;
    number += 1;
    if (number > MAX_ROUNDS)
      return errorResult(`${rules.asker.tool} asked for input more than ${MAX_ROUNDS} times.`);
    const offer = offerTo(round.requests, capabilitiesOf(rules));
    if (!offer.ok) return errorResult(notOffered(rules.asker.tool, offer.requiredCapabilities));
    // Before any is answered: a model costs.
    const problem = tooManyQuestions(offer.requests);
    if (problem !== undefined) return errorResult(problem);
    const { own, asked } = sortRound(offer.requests);
    const { runId, context, signal } = ctx;
    const about = { ...rules.asker, runId, context, signal };
    responses = await answerOwn(own, rules, about).catch((error: unknown) => {
      throw interrupted(rules.asker, error);
    });
    signal.throwIfAborted();
    ({ requestState } = round);
    if (Object.keys(asked).length > 0)
      return suspendForRound(draftsOf(asked, rules), toState({ responses, requestState, number }));
  }
}

/** Says what a tool needs that nobody in a run gives. */
export function notOffered(tool: string, capabilities: JsonObject): string {
  return `${tool} needs ${Object.keys(capabilities).join(', ')}, which this run does not offer.`;
}

/** Without what objects have by themselves: a tool that asks by the key `constructor` would find an answer there. */
function alone(responses: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.assign(Object.create(null) as Record<string, Json>, responses);
}

/** A round was carried out in this execution, so that the call is not one that never began, whatever the next says. */
function interrupted({ tool }: Asker, error: unknown): unknown {
  if (!isNoResult(error)) return error;
  return new HoldpointError(
    'Holdpoint.Tool.OutcomeUnknown',
    `${tool} was interrupted between two rounds: ${error.message}`,
    error.data,
    { cause: error },
  );
}

/** What is kept between two rounds. */
interface Kept {
  readonly responses: Readonly<Record<string, Json>>;
  readonly requestState: string | undefined;
  readonly number: number;
}

function toState({ responses, requestState, number }: Kept): JsonObject {
  return { responses, number, ...(requestState !== undefined && { requestState }) };
}

function resumed({ round }: ToolContext): Kept {
  if (!round) return { responses: {}, requestState: undefined, number: 0 };
  const state = isRecord(round.state) ? round.state : {};
  const { requestState, number } = state;
  const own = isRecord(state['responses']) ? (state['responses'] as Record<string, Json>) : {};
  const said = Object.entries(round.answers).map(([key, answer]) => [key, toResponse(answer)]);
  return {
    responses: { ...own, ...(Object.fromEntries(said) as Record<string, Json>) },
    requestState: typeof requestState === 'string' ? requestState : undefined,
    number: typeof number === 'number' ? number : 0,
  };
}

function draftsOf(asked: InputRequests, { asker, expiresInMs }: RoundRules): Record<string, RequestDraft> {
  const expiresAt = expiresInMs === undefined ? undefined : new Date(Date.now() + expiresInMs).toISOString();
  return Object.fromEntries(
    Object.entries(asked).map(([key, request]) => [key, toRequest(request, asker, expiresAt)]),
  );
}
