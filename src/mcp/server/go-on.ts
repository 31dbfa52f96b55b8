/**
 * A call that goes on with a run that asked.
 *
 * 1. An answer that the run accepted stays accepted, whatever becomes of the others.
 * 2. What is still open is asked again, with the reason and a fresh state.
 * 3. A state answers each of its requests once (R29). One that has answered and has nothing left to answer is refused.
 */
import { randomUUID } from 'node:crypto';
import { parseAnswer, type Answer } from '../../agent/answer';
import { canonicalJson, isRecord } from '../../agent/json';
import type { Request } from '../../agent/request';
import type { HoldpointClient } from '../../client/holdpoint-client';
import type { RunView } from '../../client/run-result';
import type { InputRequest, InputRequests } from '../input-request';
import { awaiting } from './agent-result';
import { digestOf } from './digest';
import { toAnswer, toElicitation } from './elicit-request';
import { askAbout, follow } from './follow-run';
import { responseTo } from './input-responses';
import type { CallIdentity } from './request-state';
import { invalidState, verified, type AdmittedCall, type CallRules, type ServedCall } from './serve-call';

/** Sends what was said to the run, and follows it on or asks again what is still open. */
export async function goOn(
  client: HoldpointClient,
  about: CallIdentity,
  call: AdmittedCall,
  state: string,
  rules: CallRules,
): Promise<ServedCall> {
  const { round, requests, runId } = await verified(rules, state, about);
  if (runId === undefined) throw invalidState();
  const run = { client, runId, about, call, rules };
  const asked = Object.keys(requests);
  // It only stands for the run, and waiting twice does no harm.
  if (asked.length === 0) return follow(run, { round });
  // What they may do may have been taken from them since.
  if (call.principal?.mayAnswer === false) throw invalidState();
  const view = await client.get(runId);
  const open = openOf(view, asked);
  if (open.length === 0) {
    if (isSpent(view, asked, state)) throw invalidState();
    return follow(run, { round });
  }
  const said = open.map((request) => sayingOf(request, requests, call, state));
  const { accepted, refused } = await send(
    run,
    said.flatMap(({ answer }) => answer ?? []),
  );
  const reasons = new Map([
    ...said.flatMap(({ id, problem }) => (problem ? [[id, problem] as const] : [])),
    ...refused,
  ]);
  if (reasons.size > 0) {
    const now = refused.size > 0 ? await client.get(runId) : view;
    const left = openOf(now, [...reasons.keys()]);
    if (left.length > 0) return askAbout(run, round, left, reasons);
    if (accepted === 0 && isSpent(now, asked, state)) throw invalidState();
  }
  const putOff = open.filter((_, at) => !said[at]?.answer && !said[at]?.problem);
  if (putOff.length > 0) return awaiting(runId, putOff, call);
  return follow(run, { round });
}

function openOf({ requests = [] }: RunView, ids: readonly string[]): readonly Request[] {
  return requests.filter(({ id }) => ids.includes(id));
}

/** What was said to one request: an answer, or why it is none. Neither: it was put off. */
interface Saying {
  readonly id: string;
  readonly answer?: Answer;
  readonly problem?: string;
}

function sayingOf(
  request: Request,
  requests: InputRequests,
  { inputResponses, principal }: AdmittedCall,
  state: string,
): Saying {
  const { id } = request;
  const asked = requests[id];
  const given =
    isRecord(inputResponses) && Object.hasOwn(inputResponses, id) ? inputResponses[id] : undefined;
  // What is agreed to is what was shown.
  if (!asked || !isSame(asked, toElicitation(request)))
    return { id, problem: 'This has changed since it was asked.' };
  const taken = responseTo(asked, given);
  if (!taken.ok) return { id, problem: taken.problem };
  const draft = toAnswer(request, taken.response);
  if (!draft) return { id };
  const by = principal && { by: principal.id };
  // The first half tells the state that it was given with, so that a state used again is told from one that another
  // person was faster than. The second makes each use an answer of its own: a repeat would be accepted.
  const answerId = `${usedWith(state, id)}.${randomUUID()}`;
  const parsed = parseAnswer({ ...draft, ...by, answerId, channel: 'mcp' });
  return parsed.ok ? { id, answer: parsed.answer } : { id, problem: parsed.problem };
}

function isSame(asked: InputRequest, now: InputRequest | undefined): boolean {
  return canonicalJson(asked) === canonicalJson(now ?? null);
}

async function send(
  {
    client,
    runId,
    rules,
  }: { readonly client: HoldpointClient; readonly runId: string; readonly rules: CallRules },
  answers: readonly Answer[],
): Promise<{ readonly accepted: number; readonly refused: ReadonlyMap<string, string> }> {
  const outcomes = answers.length > 0 ? await client.answerAll(runId, answers) : [];
  const refused = new Map<string, string>();
  outcomes.forEach((outcome, at) => {
    if (outcome.ok) return;
    rules.report(outcome.error);
    refused.set(answers[at]?.id ?? '', `This was not accepted: ${outcome.error.message}`);
  });
  return { accepted: outcomes.length - refused.size, refused };
}

/** Whether the run has taken an answer that was given with this state. */
function isSpent({ receipts = [] }: RunView, asked: readonly string[], state: string): boolean {
  return asked.some((id) => {
    const own = `${usedWith(state, id)}.`;
    return receipts.some(({ requestId, answerId }) => requestId === id && answerId?.startsWith(own));
  });
}

function usedWith(state: string, requestId: string): string {
  return `mcp-${digestOf(JSON.stringify([state, requestId]))}`;
}
