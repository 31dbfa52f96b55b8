import { userInfo } from 'node:os';
import { parseAnswer, type Answer } from '../agent/answer';
import { isRecord, parseJson, type JsonObject } from '../agent/json';
import { answerDeclined, answerOutput, relayAnswer, type RelayResult } from '../agent/relay';
import { tallyOf } from '../agent/policy';
import { usageError } from './command-error';
import type { PickedRequest } from './pick-request';
import { fileOrInput, jsonObjectOption, textArgument } from './values';

/** The ways to give an answer without being asked. */
export interface AnswerFlags {
  readonly approve?: true;
  readonly input?: string;
  /** `true` without a reason. */
  readonly decline?: string | true;
  readonly output?: string;
  readonly result?: readonly string[];
  readonly data?: string;
  readonly jsonAnswer?: string;
  readonly by?: string;
  readonly role?: readonly string[];
  readonly allCalls?: true;
}

const DECISIONS = [
  ['approve', '--approve'],
  ['input', '--input'],
  ['decline', '--decline'],
  ['output', '--output'],
  ['result', '--result'],
  ['data', '--data'],
  ['jsonAnswer', '--json-answer'],
] as const;

/** The decision that was given, by its option; `undefined` where a person is to be asked. */
export function givenDecision(flags: AnswerFlags): string | undefined {
  if (flags.allCalls && !flags.approve) throw usageError('--all-calls goes with --approve.');
  const given = DECISIONS.filter(([name]) => flags[name] !== undefined).map(([, option]) => option);
  // An edit is an approval, so to say both is no contradiction.
  const decisions = given.includes('--input') ? given.filter((option) => option !== '--approve') : given;
  if (decisions.length > 1) throw usageError(`${decisions.join(' and ')} are two answers.`, 'Give one.');
  return decisions[0];
}

/** The answer to a request; where that is not open any more, the run itself then says why. */
export async function answerFromFlags(flags: AnswerFlags, picked: PickedRequest): Promise<Answer> {
  return inName(await decisionOf(flags, picked), flags);
}

/** The answer with who gives it, what they are, and where. */
export function inName(answer: Answer, flags: Pick<AnswerFlags, 'by' | 'role'>): Answer {
  const by = flags.by ?? answer.by ?? accountName();
  return {
    ...answer,
    ...(by !== undefined && { by }),
    ...(flags.role && { roles: flags.role }),
    channel: answer.channel ?? 'cli',
  };
}

async function decisionOf(flags: AnswerFlags, picked: PickedRequest): Promise<Answer> {
  const { id, request } = picked;
  const { input, decline, output, result, data, jsonAnswer } = flags;
  const isRelay = request?.kind === 'tool_call';
  if (jsonAnswer !== undefined) return readAnswer(id, await fileOrInput('--json-answer', jsonAnswer));
  if (decline !== undefined) return answerDeclined(id, decline === true ? undefined : decline);
  if (result !== undefined) {
    if (request !== undefined && !isRelay)
      throw usageError(
        `--result is for relayed calls; this request is of kind ${request.kind}.`,
        hintFor(picked),
      );
    return relayAnswer(id, result.map(toResult));
  }
  if (output !== undefined) return forOutput(picked, await textArgument(output));
  if (input !== undefined) {
    if (request !== undefined && request.kind !== 'approval')
      throw usageError(
        `--input edits the arguments of a call that waits for approval; this request is of kind ${request.kind}.`,
        hintFor(picked),
      );
    return { id, ok: true, data: { input: await jsonObjectOption('--input', input) } };
  }
  if (data !== undefined) return { id, ok: true, data: await jsonObjectOption('--data', data) };
  if (isRelay) throw usageError('This request waits for a result, not for a yes.', hintFor(picked));
  const said = { ...(flags.allCalls && { allCalls: true }), ...votedOn(request) };
  return { id, ok: true, ...(Object.keys(said).length > 0 && { data: said }) };
}

/** Where several must agree, an edit of one of them begins anew: a vote says what it is about. */
function votedOn(request: PickedRequest['request']): JsonObject {
  const digest = request?.data?.['digest'];
  return tallyOf(request?.policy) && typeof digest === 'string' ? { digest } : {};
}

function forOutput({ id, calls }: PickedRequest, output: string): Answer {
  if (calls.length > 1)
    throw usageError(
      `--output is for a single call; this request has ${calls.length}.`,
      `Give each its own: ${calls.map((call) => `--result ${call.id}=<text>`).join(' ')}`,
    );
  return answerOutput(id, output);
}

function toResult(text: string): RelayResult {
  const at = text.indexOf('=');
  if (at > 0) return { id: text.slice(0, at), output: text.slice(at + 1) };
  throw usageError(`Expected --result to be <call>=<text>, got ${JSON.stringify(text)}.`);
}

/** An answer as programs send it; its `id` may be left out, and may not be another request's. */
function readAnswer(id: string, text: string): Answer {
  const value = parseJson(text);
  if (!isRecord(value))
    throw usageError('Expected --json-answer to hold a JSON object {ok, data?, reason?}.');
  const given = value['id'];
  if (given !== undefined && given !== id)
    throw usageError(`The answer is for request ${JSON.stringify(given)}, not for ${JSON.stringify(id)}.`);
  const parsed = parseAnswer({ ...value, id });
  if (parsed.ok) return parsed.answer;
  throw usageError(parsed.problem);
}

function hintFor({ request, calls }: PickedRequest): string {
  if (calls.length === 1) return 'Give it with --output <text>, or say no with --decline.';
  if (calls.length > 1)
    return `Give each: ${calls.map((call) => `--result ${call.id}=<text>`).join(' ')}; or say no with --decline.`;
  if (tallyOf(request?.policy)) return 'Answer with --approve, --input <json> or --decline.';
  if (request?.kind === 'approval')
    return 'Answer with --approve, --input <json>, --decline, or --output <text> for a result in the tool’s place.';
  if (request?.kind === 'reconcile')
    return `Answer with --output <text>, --data '{"rerun":true}' or --decline.`;
  return 'Answer with --approve, --data <json> or --decline.';
}

/** Whose account this is, so that the record says who answered. */
export function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as in some containers.
    return undefined;
  }
}
