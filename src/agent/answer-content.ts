import { jsonTextHint, typeName, type Answer } from './answer';
import { inputDigest } from './approval';
import { isRecord, jsonSize, type Json, type JsonObject } from './json';
import type { Meter } from './meter';
import { framed, invalid, malformed, quote, refusal, settledCall, unknownCall } from './refusal';
import { quorumOf } from './policy';
import { refuseNoAnswer } from './question';
import { RELAY_IS_ERROR_KEY, RELAY_OUTPUT_KEY } from './relay';
import { errorResult, okResult, type ToolResult } from './tool';
import { missingResultText } from './result-text';
import { isHeldRoute } from './route';
import type { CallState, OpenRequest } from './run-state';
import { outputFit, schemaFit } from './schema-fit';

/** What an accepted answer does to one call. */
export type CallStep =
  /** The host's result. `unsure`: not all of its schema was checked. */
  | { readonly is: 'result'; readonly result: ToolResult; readonly unsure?: true }
  /** The hold is passed, with the approver's arguments where there are some. */
  | { readonly is: 'pass'; readonly edited?: JsonObject }
  /** The tool runs once more with the answer. */
  | { readonly is: 'resume' }
  /** One of the tool's questions has its answer. */
  | { readonly is: 'respond' }
  /** The interrupted execution is repeated (R28). */
  | { readonly is: 'rerun' };

export type AnswerSteps = ReadonlyMap<CallState, CallStep>;

/**
 * Reads what an `ok: true` answer says to a request's open calls, all of it before anything changes: an
 * answer is accepted or refused whole (R24). Throws the typed refusal.
 */
export function readSteps(
  answer: Answer,
  open: OpenRequest,
  calls: readonly CallState[],
  all: readonly CallState[],
  meter: Meter,
): AnswerSteps {
  switch (open.purpose) {
    case 'relay':
      return readRelay(answer, open, calls, all, meter);
    case 'hold':
      return new Map(calls.map((call) => [call, readHold(answer, open, call, all, meter)]));
    case 'tool':
      refuseNoAnswer(answer, open.request, meter);
      return new Map(calls.map((call) => [call, { is: 'resume' }]));
    case 'round':
      refuseLargeResponse(answer);
      refuseNoAnswer(answer, open.request, meter);
      return new Map(calls.map((call) => [call, { is: 'respond' }]));
    case 'reconcile':
      return new Map(calls.map((call) => [call, readReconcile(answer, call, meter)]));
  }
}

/** All answers of a round travel to the tool together, and the engine takes 2 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024;

function refuseLargeResponse(answer: Answer): void {
  const bytes = jsonSize(answer.data ?? {});
  if (bytes <= MAX_RESPONSE_BYTES) return;
  throw refusal(
    'Holdpoint.Answer.TooLarge',
    answer,
    framed(
      answer,
      `Its data has ${bytes} bytes as JSON; an answer to one of a tool's questions has at most ${MAX_RESPONSE_BYTES}. Store large values elsewhere and pass a reference.`,
    ),
  );
}

function readRelay(
  answer: Answer,
  open: OpenRequest,
  calls: readonly CallState[],
  all: readonly CallState[],
  meter: Meter,
): AnswerSteps {
  const data = answer.data ?? {};
  const steps = new Map<CallState, CallStep>();
  if (data['results'] !== undefined) {
    const seen = new Set<string>();
    for (const entry of resultEntries(answer, data['results'])) {
      const call = open.calls.map((index) => all[index]).find((one) => one?.id === entry.id);
      if (!call) throw unknownCall(answer, entry.id);
      if (seen.has(entry.id))
        throw malformed(answer, `It has two results for call ${quote(entry.id)}; a call takes one.`);
      seen.add(entry.id);
      if (!calls.includes(call)) throw settledCall(answer, entry.id);
      steps.set(call, checkedResult(answer, call, entry.output, entry.isError, meter));
    }
  } else if (data[RELAY_OUTPUT_KEY] !== undefined) {
    const [call] = calls;
    if (!call || calls.length !== 1)
      throw malformed(
        answer,
        `\`data.output\` is for a request with one open call, and ${calls.length} are open. Send \`data.results\`, with the id of each call.`,
      );
    const output = textIn(answer, 'data.output', data[RELAY_OUTPUT_KEY]);
    const isError = flagIn(answer, 'data.isError', data[RELAY_IS_ERROR_KEY]);
    steps.set(call, checkedResult(answer, call, output, isError, meter));
  } else {
    throw malformed(
      answer,
      'It carries neither `data.results` nor `data.output`. Give results with `relayAnswer`, or decline with `ok: false`.',
    );
  }
  if (data['final'] === true) {
    for (const call of calls)
      if (!steps.has(call))
        steps.set(call, { is: 'result', result: errorResult(missingResultText(call.name)) });
  }
  if (steps.size === 0)
    throw malformed(answer, '`data.results` is empty. Give a result, or decline with `ok: false`.');
  return steps;
}

function resultEntries(answer: Answer, results: Json) {
  if (!Array.isArray(results))
    throw malformed(
      answer,
      `Expected \`data.results\` to be an array of {id, output, isError?}, got ${typeName(results)}.${jsonTextHint(results)}`,
    );
  return (results as readonly Json[]).map((entry, at) => {
    const name = `data.results[${at}]`;
    if (!isRecord(entry))
      throw malformed(
        answer,
        `Expected \`${name}\` to be {id, output, isError?}, got ${typeName(entry)}.${jsonTextHint(entry)}`,
      );
    const { id, output, isError } = entry;
    if (typeof id !== 'string')
      throw malformed(answer, `Expected \`${name}.id\` to be the id of a call, got ${typeName(id)}.`);
    return {
      id,
      output: textIn(answer, `${name}.output`, output),
      isError: flagIn(answer, `${name}.isError`, isError),
    };
  });
}

/** What a call returns is text, as what a model reads is. */
function textIn(answer: Answer, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const hint =
    value === undefined ? 'Give the result as text.' : 'Write the value as text with JSON.stringify.';
  throw malformed(answer, `Expected \`${name}\` to be a string, got ${typeName(value)}. ${hint}`);
}

function flagIn(answer: Answer, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw malformed(answer, `Expected \`${name}\` to be a boolean, got ${typeName(value)}.`);
}

/** What the workflow cannot be sure of is checked by the worker, where failing is an error result (R24). */
function checkedResult(
  answer: Answer,
  call: CallState,
  output: string,
  isError: boolean,
  meter: Meter,
): CallStep {
  if (isError) return { is: 'result', result: errorResult(output) };
  const schema = call.route.to === 'relay' ? call.route.outputSchema : undefined;
  const fit = schema && outputFit(schema, output, meter);
  if (fit?.is === 'violates')
    throw invalid(
      answer,
      `The result of call ${quote(call.id)} does not fit the output schema of ${call.name}: ${fit.problem}.`,
    );
  return { is: 'result', result: okResult(output), ...(fit?.is === 'unsure' && { unsure: true }) };
}

/** Edits travel beside an answer or a result, and twice in a relay request: 2 MB in all. */
const MAX_EDIT_BYTES = 256 * 1024;

function readHold(
  answer: Answer,
  open: OpenRequest,
  call: CallState,
  all: readonly CallState[],
  meter: Meter,
): CallStep {
  if (open.request.kind !== 'approval') return { is: 'pass' };
  refuseOtherKeys(answer, ['input', 'output', 'isError', 'digest', 'allCalls']);
  refuseOtherDigest(answer, open, call);
  const { output, input, isError } = answer.data ?? {};
  const isCounted = quorumOf(open.request.policy) > 1;
  if (output !== undefined && isCounted)
    throw malformed(
      answer,
      'It gives a result in the tool’s place (`data.output`), and more than one person must agree to this call. Approve it or decline.',
    );
  if (
    flagIn(answer, 'data.allCalls', answer.data?.['allCalls']) &&
    (isCounted || (output ?? input) !== undefined)
  )
    throw malformed(
      answer,
      isCounted
        ? 'It approves all calls of the tool (`data.allCalls`), and more than one person must agree to each. Approve this one.'
        : 'It approves all calls of the tool (`data.allCalls`) and changes this one (`data.input`, `data.output`). Send one of them.',
    );
  if (output !== undefined && input !== undefined)
    throw malformed(
      answer,
      'It has both `data.output` (the result, and the tool does not run) and `data.input` (edited arguments, which then run). Send one of them.',
    );
  if (output !== undefined) return suppliedResult(answer, call, output, isError, meter);
  if (input === undefined) return { is: 'pass' };
  if (!isRecord(input))
    throw malformed(
      answer,
      `Expected \`data.input\` to be an object of arguments, got ${typeName(input)}.${jsonTextHint(input)}`,
    );
  const bytes = jsonSize(input);
  const others = all.reduce((sum, { edited }) => sum + (edited ? jsonSize(edited) : 0), 0);
  if (others + bytes > MAX_EDIT_BYTES)
    throw refusal(
      'Holdpoint.Answer.TooLarge',
      answer,
      framed(
        answer,
        `The edited arguments have ${bytes} bytes as JSON; at most ${MAX_EDIT_BYTES} are taken for all calls of a message${others > 0 ? `, of which ${others} are used` : ''}. Store large values elsewhere and pass a reference.`,
      ),
    );
  const schema = isHeldRoute(call.route) ? call.route.inputSchema : undefined;
  const fit = schema && schemaFit(schema, input, meter);
  if (fit?.is === 'violates')
    throw invalid(
      answer,
      `The edited arguments do not fit the input schema of ${call.name}: ${fit.problem}.`,
    );
  // What would run anyway is no edit: nobody's vote for it is void.
  if (inputDigest(input) === open.request.data?.['digest']) return { is: 'pass' };
  return { is: 'pass', edited: input };
}

/** Whoever decides says what they saw; when that has changed since, they have not seen what would run. */
function refuseOtherDigest(answer: Answer, { request }: OpenRequest, { edited }: CallState): void {
  const seen = answer.data?.['digest'];
  const digest = request.data?.['digest'];
  if (typeof digest !== 'string' || seen === digest) return;
  // An edit has begun the votes anew: whoever does not say which arguments they saw may have seen the earlier ones.
  const mustSay = edited !== undefined && quorumOf(request.policy) > 1;
  if (seen === undefined && !mustSay) return;
  throw refusal(
    'Holdpoint.Answer.DigestMismatch',
    answer,
    framed(
      answer,
      'What it decides about (`data.digest`) is not what would run now. Read the request again.',
    ),
    { digest },
  );
}

/** A result that a person gives in place of the tool's: in their own words, but where a host's would be checked. */
function suppliedResult(
  answer: Answer,
  call: CallState,
  output: unknown,
  isError: unknown,
  meter: Meter,
): CallStep {
  const text = textIn(answer, 'data.output', output);
  return checkedResult(answer, call, text, flagIn(answer, 'data.isError', isError), meter);
}

/** A decision with a key that nobody reads is not the decision its sender meant: the call must not run on it. */
function refuseOtherKeys(answer: Answer, known: readonly string[]): void {
  const other = Object.keys(answer.data ?? {}).find((key) => !known.includes(key));
  if (other !== undefined)
    throw malformed(
      answer,
      `Its \`data\` has the key ${quote(other)}; what this request takes is ${known.map((key) => `\`${key}\``).join(', ')}.`,
    );
}

function readReconcile(answer: Answer, call: CallState, meter: Meter): CallStep {
  refuseOtherKeys(answer, ['output', 'isError', 'rerun']);
  const { output, isError, rerun } = answer.data ?? {};
  if (output !== undefined && rerun === true)
    throw malformed(answer, 'It has both `data.output` (the result) and `data.rerun`. Send one of them.');
  if (output !== undefined) return suppliedResult(answer, call, output, isError, meter);
  if (rerun === true) return { is: 'rerun' };
  throw malformed(
    answer,
    'With `ok: true` it needs `data.output` (the result) or `data.rerun: true`. With `ok: false` the model is told that the outcome is unknown.',
  );
}
