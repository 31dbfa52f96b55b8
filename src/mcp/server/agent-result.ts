import type { JsonObject } from '../../agent/json';
import type { Request } from '../../agent/request';
import type { PendingResult, RunResult } from '../../agent/result';
import type { ToolCallResult } from '../bound-tool';
import { textContent } from '../content';
import { IDEMPOTENCY_KEY } from '../meta-keys';
import { PAST_ASKING, type AdmittedCall, type ServedCall } from './serve-call';

/** Where a result says which run it is of. */
const RUN_ID_KEY = 'dev.holdpoint/run-id';

/** What a run that has ended is to its caller. */
export function toCallResult(result: Exclude<RunResult, PendingResult>): ToolCallResult {
  const { runId, status, text, output } = result;
  const named = (told: string) => ({
    // Clients that show a block alone do not keep what is said of the whole.
    content: [{ ...textContent(told), _meta: ofRun(runId) }],
    _meta: ofRun(runId),
  });
  if (status === 'done')
    return {
      ...named(output === undefined ? text : JSON.stringify(output)),
      ...(output !== undefined && { structuredContent: output }),
    };
  const why =
    status === 'failed'
      ? result.error.message
      : status === 'incomplete'
        ? `limit ${result.limit}`
        : 'cancelled';
  return { ...named(`The run ended as ${status}: ${why}`), isError: true };
}

/**
 * Nobody at this client can be asked: the run waits, and is answered by the API or in the inbox. It is kept without a key
 * too: what it has done would be lost, and somebody may be about to answer.
 */
export function awaiting(
  runId: string,
  requests: readonly Request[],
  call: Pick<AdmittedCall, 'idempotencyKey' | 'principal' | 'isPastAsking'>,
): ServedCall {
  const open = requests.map(({ id, kind, prompt, url, data, expiresAt }) => ({
    id,
    kind,
    prompt,
    ...(url !== undefined && { url }),
    ...(data && { data }),
    ...(expiresAt !== undefined && { expiresAt }),
  }));
  const message = [
    ...(call.principal?.mayAnswer === false ? ['This caller may not answer it.'] : []),
    ...(call.isPastAsking ? [PAST_ASKING] : []),
    'The run waits for somebody to answer in the inbox or by the API.',
    call.idempotencyKey === undefined
      ? `Then it goes on without this call: \`holdpoint show ${runId}\`, or the API, tells what it comes to. To call again starts another run, unless each call has the same idempotency key in \`_meta\`: ${IDEMPOTENCY_KEY}.`
      : 'Then call again with the same idempotency key.',
  ].join(' ');
  return aboutRun(runId, { error: 'awaiting_input', message, runId, requests: open });
}

/** The run goes on, and its caller has waited as long as a call may. */
export function stillRunning(runId: string): ServedCall {
  return aboutRun(runId, {
    error: 'still_running',
    message: 'The run goes on. Call again with the same idempotency key.',
    runId,
  });
}

function aboutRun(runId: string, value: JsonObject & { readonly error: string }): ServedCall {
  const { result } = structuredFailure(value);
  return { kind: 'result', result: { ...result, _meta: ofRun(runId) } };
}

function ofRun(runId: string): JsonObject {
  return { [RUN_ID_KEY]: runId };
}

/** The key came before, with something else. */
export function keyReused(what: 'input' | 'arguments'): ServedCall {
  return structuredFailure({
    error: 'key_reused',
    message: `This idempotency key came with other ${what}.`,
  });
}

/** An error that a program can tell from others: `error` is its word. */
export function structuredFailure(
  value: JsonObject & { readonly error: string },
): Extract<ServedCall, { kind: 'result' }> {
  return {
    kind: 'result',
    result: { content: [textContent(JSON.stringify(value))], structuredContent: value, isError: true },
  };
}
