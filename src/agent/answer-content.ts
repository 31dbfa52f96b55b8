import type { Answer } from './answer';
import { HoldpointError } from './errors';
import { isRecord, jsonSize, type Json, type JsonObject, type JsonSchema } from './json';
import { schemaProblem } from './json-schema';
import { outputProblem } from './output-problem';
import { RELAY_IS_ERROR_KEY, RELAY_OUTPUT_KEY } from './relay';
import { errorResult, okResult, type Checked, type ToolResult } from './tool';
import { missingResultText } from './result-text';
import { isHeldRoute, type RelayRoute } from './route';
import type { CallState, OpenRequest } from './run-state';

/** What an accepted answer does to one call. */
export type CallStep =
  /** The host's result. */
  | { readonly is: 'result'; readonly result: ToolResult }
  /** The hold is passed, with the approver's arguments where there are some. */
  | { readonly is: 'pass'; readonly edited?: JsonObject }
  /** The tool runs once more with the answer. */
  | { readonly is: 'resume' }
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
): AnswerSteps {
  switch (open.purpose) {
    case 'relay':
      return readRelay(answer, open, calls, all);
    case 'hold':
      return new Map(calls.map((call) => [call, readHold(answer, open, call)]));
    case 'tool':
      return new Map(calls.map((call) => [call, { is: 'resume' }]));
    case 'reconcile':
      return new Map(calls.map((call) => [call, readReconcile(answer)]));
  }
}

function readRelay(
  answer: Answer,
  open: OpenRequest,
  calls: readonly CallState[],
  all: readonly CallState[],
): AnswerSteps {
  const data = answer.data ?? {};
  const steps = new Map<CallState, CallStep>();
  if (data['results'] !== undefined) {
    const seen = new Set<string>();
    for (const entry of resultEntries(answer, data['results'])) {
      const call = open.calls.map((index) => all[index]).find((one) => one?.id === entry.id);
      if (!call) throw unknownCall(answer, entry.id);
      if (seen.has(entry.id)) throw malformed(answer, `It has two results for call ${quote(entry.id)}.`);
      seen.add(entry.id);
      if (!calls.includes(call)) throw settledCall(answer, entry.id);
      steps.set(call, { is: 'result', result: checkedResult(answer, call, entry.output, entry.isError) });
    }
  } else if (data[RELAY_OUTPUT_KEY] !== undefined) {
    const [call] = calls;
    if (!call || calls.length !== 1)
      throw malformed(
        answer,
        `\`data.output\` is for a request with one open call; ${calls.length} are open. Send \`data.results\`.`,
      );
    const output = data[RELAY_OUTPUT_KEY];
    const isError = data[RELAY_IS_ERROR_KEY];
    if (typeof output !== 'string') throw malformed(answer, 'Expected `data.output` to be a string.');
    if (isError !== undefined && typeof isError !== 'boolean')
      throw malformed(answer, 'Expected `data.isError` to be a boolean.');
    steps.set(call, { is: 'result', result: checkedResult(answer, call, output, isError === true) });
  } else {
    throw malformed(
      answer,
      'The answer carries neither `data.results` nor `data.output`. Give results with `relayAnswer`, or decline with `ok: false`.',
    );
  }
  if (data['final'] === true) {
    for (const call of calls)
      if (!steps.has(call))
        steps.set(call, { is: 'result', result: errorResult(missingResultText(call.name)) });
  }
  if (steps.size === 0) throw malformed(answer, '`data.results` is empty.');
  return steps;
}

function resultEntries(answer: Answer, results: Json) {
  if (!Array.isArray(results))
    throw malformed(answer, 'Expected `data.results` to be an array of {id, output, isError?}.');
  return (results as readonly Json[]).map((entry, at) => {
    if (!isRecord(entry)) throw malformed(answer, `Expected \`data.results[${at}]\` to be an object.`);
    const { id, output, isError } = entry;
    if (typeof id !== 'string')
      throw malformed(answer, `Expected \`data.results[${at}].id\` to be a call id.`);
    if (typeof output !== 'string')
      throw malformed(answer, `Expected \`data.results[${at}].output\` to be a string.`);
    if (isError !== undefined && typeof isError !== 'boolean')
      throw malformed(answer, `Expected \`data.results[${at}].isError\` to be a boolean.`);
    return { id, output, isError: isError === true };
  });
}

function checkedResult(answer: Answer, call: CallState, output: string, isError: boolean): ToolResult {
  if (isError) return errorResult(output);
  const schema = call.route.to === 'relay' ? call.route.outputSchema : undefined;
  if (call.route.to !== 'relay' || isLeftToWorker(call.route, output)) return okResult(output);
  const problem = schema && outputProblem((value) => checkedBy(schema, value), output);
  if (problem !== undefined)
    throw invalid(
      answer,
      `The result of call ${quote(call.id)} does not fit the output schema of ${call.name}: ${problem}`,
    );
  return okResult(output);
}

/**
 * Checking takes time that grows with the value, and the engine ends a workflow's step after five seconds,
 * for ever again: what is larger than this is checked by the worker, where failing is an error result (R24).
 */
const MAX_CHECKED_BYTES = 64 * 1024;

/** An edit travels beside an answer or a result, and twice in a relay request: 2 MB in all. */
const MAX_EDIT_BYTES = 256 * 1024;

export function isLeftToWorker({ outputSchema }: RelayRoute, output: string): boolean {
  return outputSchema !== undefined && output.length > MAX_CHECKED_BYTES;
}

function checkedBy(schema: JsonSchema, value: Json): Checked<Json> {
  const problem = schemaProblem(schema, value);
  return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

function readHold(answer: Answer, open: OpenRequest, call: CallState): CallStep {
  if (open.request.kind !== 'approval') return { is: 'pass' };
  refuseOtherKeys(answer, ['input', 'output', 'isError']);
  const { output, input, isError } = answer.data ?? {};
  if (output !== undefined && input !== undefined)
    throw malformed(
      answer,
      'An approval takes `data.output` (the result) or `data.input` (edited arguments), not both.',
    );
  if (output !== undefined) {
    if (typeof output !== 'string') throw malformed(answer, 'Expected `data.output` to be a string.');
    return { is: 'result', result: isError === true ? errorResult(output) : okResult(output) };
  }
  if (input === undefined) return { is: 'pass' };
  if (!isRecord(input)) throw malformed(answer, 'Expected `data.input` to be an object of arguments.');
  const edited = input;
  const bytes = jsonSize(edited);
  if (bytes > MAX_EDIT_BYTES)
    throw refusal(
      'Holdpoint.Answer.TooLarge',
      answer,
      `The edited arguments have ${bytes} bytes as JSON; at most ${MAX_EDIT_BYTES} are taken. Nothing was changed.`,
    );
  const schema = isHeldRoute(call.route) ? call.route.inputSchema : undefined;
  const problem = schema && bytes <= MAX_CHECKED_BYTES ? schemaProblem(schema, edited) : undefined;
  if (problem !== undefined)
    throw invalid(answer, `The edited arguments do not fit the input schema of ${call.name}: ${problem}`);
  return { is: 'pass', edited };
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

function readReconcile(answer: Answer): CallStep {
  refuseOtherKeys(answer, ['output', 'isError', 'rerun']);
  const { output, isError, rerun } = answer.data ?? {};
  if (typeof output === 'string')
    return { is: 'result', result: isError === true ? errorResult(output) : okResult(output) };
  if (rerun === true) return { is: 'rerun' };
  throw malformed(
    answer,
    'A reconcile answer with `ok: true` needs `data.output` (the result) or `data.rerun: true`.',
  );
}

function malformed(answer: Answer, problem: string): HoldpointError {
  return refusal('Holdpoint.Answer.Malformed', answer, `${problem} Nothing was changed.`);
}

function invalid(answer: Answer, problem: string): HoldpointError {
  return refusal('Holdpoint.Answer.Invalid', answer, `${problem} Nothing was changed.`);
}

function unknownCall(answer: Answer, callId: string): HoldpointError {
  return refusal(
    'Holdpoint.Answer.UnknownCall',
    answer,
    `Request ${quote(answer.id)} has no call ${quote(callId)}. Nothing was changed.`,
    { callId },
  );
}

function settledCall(answer: Answer, callId: string): HoldpointError {
  return refusal(
    'Holdpoint.Answer.AlreadyAnswered',
    answer,
    `Call ${quote(callId)} of request ${quote(answer.id)} has its result already. Nothing was changed.`,
    { callId },
  );
}

/** Every refusal names the request, the answer and the data's keys, never a value of it (R11). */
export function refusal(
  type: HoldpointError['type'],
  answer: Answer,
  message: string,
  data: JsonObject = {},
): HoldpointError {
  return new HoldpointError(type, message, {
    requestId: answer.id,
    ...(answer.answerId !== undefined && { answerId: answer.answerId }),
    ...(answer.data && { dataKeys: Object.keys(answer.data) }),
    ...data,
  });
}

export function quote(id: string): string {
  return JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id);
}
