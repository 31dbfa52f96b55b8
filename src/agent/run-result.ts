import { isRecord, jsonSize, parseJson, type Json, type JsonObject } from './json';
import { toolCallsOf, toolMessage, type Message } from './message';
import { callsOf, firstCall } from './open-request';
import type { Request } from './request';
import { toResult, type RunOutcome, type RunResult, type ToolCallRecord } from './result';
import { isHeldRoute } from './route';
import type { CallMark, CallState, OpenRequest, RunState, Transcript } from './run-state';

/**
 * The run's messages as a reader sees them: the transcript, and while the run is halted a tool message
 * for every call of the open turn, with the request's prompt where there is no result yet (R27).
 */
export function visibleMessages(run: RunState, transcript: Transcript): Message[] {
  const messages = transcript.entries.map((entry) => entry.message);
  if (run.status !== 'pending') return messages;
  return [...messages, ...run.calls.map((call) => toolMessage(call.id, placeholderOf(run, call).output))];
}

/** What the visible messages do not say, one mark per tool message of the run. */
export function visibleMarks(run: RunState, transcript: Transcript): CallMark[] {
  if (run.status !== 'pending') return [...run.marks];
  const open = run.calls.map((call) => {
    const { isError, metadata, pending } = placeholderOf(run, call);
    return {
      at: transcript.entries.length + call.index,
      isError,
      ...(metadata && { metadata }),
      ...(pending !== undefined && { pending }),
      ...(call.edited && { input: call.edited }),
    };
  });
  return [...run.marks, ...open];
}

function placeholderOf(
  run: RunState,
  call: CallState,
): { output: string; isError: boolean; metadata?: JsonObject; pending?: string } {
  const { phase } = call;
  if (phase.is === 'settled' || phase.is === 'returned') return phase.result;
  const open =
    phase.is === 'waiting'
      ? run.requests.find((entry) => entry.request.id === phase.requestId)
      : run.requests.find(({ guest }) => guest?.callIndex === call.index);
  return {
    output: open?.request.prompt ?? '',
    isError: true,
    ...(open && { pending: open.request.id }),
  };
}

/**
 * One record per call, in call order (R35). `messages[0]` has index `offset` in the transcript that the
 * marks count in; `requests` are the open ones.
 */
export function toolCallRecords(
  messages: readonly Message[],
  offset: number,
  marks: readonly CallMark[],
  requests: readonly Request[] = [],
): ToolCallRecord[] {
  const marksAt = new Map(marks.map((mark) => [mark.at, mark]));
  const records: ToolCallRecord[] = [];
  messages.forEach((message, at) => {
    toolCallsOf(message).forEach((call, index) => {
      const result = messages[at + 1 + index];
      const mark = marksAt.get(offset + at + 1 + index);
      if (result?.role !== 'tool' || !mark) return;
      const pending = requests.find((request) => request.id === mark.pending);
      const metadata = pending ? { ...mark.metadata, pending: { ...pending } } : mark.metadata;
      records.push({
        id: call.id,
        name: call.function.name,
        args: mark.input ?? inputOf(call.function.arguments) ?? call.function.arguments,
        output: result.content,
        isError: mark.isError,
        ...(metadata && { metadata }),
      });
    });
  });
  return records;
}

/** Raw arguments as an object; no arguments at all count as `{}`. `undefined` for anything else (R5). */
export function inputOf(text: string): JsonObject | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Open requests in call order, so that the first is `RunResult.pending` (R26). */
export function openRequests(run: RunState): Request[] {
  return [...run.requests]
    .sort((a, b) => firstCall(a) - firstCall(b))
    .map((entry) => shownRequest(run, entry));
}

/** Of the schemas that stand beside one request; one that has no room is left out. */
const MAX_SHOWN_SCHEMA = 16_384;

/**
 * A request as a host sees it, with what its answer is checked by: the arguments of a held call, the results of relay
 * calls. Schemas travel with the calls' routes, so a run keeps each once.
 */
export function shownRequest(run: RunState, open: OpenRequest): Request {
  const { request, purpose } = open;
  const calls = callsOf(run, open);
  if (purpose === 'relay') return withResultSchemas(request, calls);
  const route = calls[0]?.route;
  const schema = route && isHeldRoute(route) ? route.inputSchema : undefined;
  if (purpose !== 'hold' || request.kind !== 'approval' || !schema) return request;
  if (jsonSize(schema) > MAX_SHOWN_SCHEMA) return request;
  return { ...request, data: { ...request.data, schema } };
}

function withResultSchemas(request: Request, calls: readonly CallState[]): Request {
  const shown = request.data?.['calls'];
  if (!Array.isArray(shown) || shown.length !== calls.length) return request;
  let room = MAX_SHOWN_SCHEMA;
  const withSchema = (call: Json, at: number): Json => {
    const route = calls[at]?.route;
    const outputSchema = route?.to === 'relay' ? route.outputSchema : undefined;
    if (!outputSchema || !isRecord(call)) return call;
    room -= jsonSize(outputSchema);
    return room < 0 ? call : { ...call, outputSchema };
  };
  return { ...request, data: { ...request.data, calls: (shown as readonly Json[]).map(withSchema) } };
}

/** The run's result without what only its transcript holds. */
export function outcomeOf(run: RunState): RunOutcome {
  const requests = openRequests(run);
  const [pending] = requests;
  return {
    runId: run.runId,
    status: run.status === 'running' ? 'pending' : run.status,
    text: run.text,
    ...(run.output !== undefined && { output: run.output }),
    toolCallCount: run.toolCallCount,
    turns: run.turn,
    usage: run.usage,
    model: run.model ?? '',
    ...(run.limit && run.status === 'incomplete' && { limit: run.limit }),
    ...(pending && { pending, requests }),
    ...(run.error && { error: run.error }),
  };
}

/** The whole result, where the transcript is at hand. Messages are the conversation's, calls the run's (R39). */
export function resultOf(run: RunState, transcript: Transcript): RunResult {
  const messages = visibleMessages(run, transcript);
  const marks = visibleMarks(run, transcript);
  return toResult({
    ...outcomeOf(run),
    messages,
    toolCalls: toolCallRecords(messages.slice(run.from), run.from, marks, openRequests(run)),
    receipts: run.receipts.map((record) => record.receipt),
  });
}
