import type { JsonObject } from '../../agent/json';
import type { Request } from '../../agent/request';
import type { PendingResult, RunResult } from '../../agent/result';
import type { ToolCallResult } from '../bound-tool';
import { textContent } from '../content';
import type { ServedCall } from './serve-call';

/** Where a result says which run it is of. */
const RUN_ID_KEY = 'dev.holdpoint/run-id';

/** What a run that has ended is to its caller. */
export function toCallResult(result: Exclude<RunResult, PendingResult>): ToolCallResult {
  const { runId, status, text, output } = result;
  const block = (told: string) => [{ ...textContent(told), _meta: { [RUN_ID_KEY]: runId } }];
  if (status === 'done')
    return {
      content: block(output === undefined ? text : JSON.stringify(output)),
      ...(output !== undefined && { structuredContent: output }),
    };
  const why =
    status === 'failed'
      ? result.error.message
      : status === 'incomplete'
        ? `limit ${result.limit}`
        : 'cancelled';
  return { content: block(`The run ended as ${status}: ${why}`), isError: true };
}

/** Nobody at this client can be asked: the run waits, and is answered by the API or in the inbox. */
export function awaiting(runId: string, requests: readonly Request[]): ServedCall {
  const open = requests.map(({ id, kind, prompt, url, data, expiresAt }) => ({
    id,
    kind,
    prompt,
    ...(url !== undefined && { url }),
    ...(data && { data }),
    ...(expiresAt !== undefined && { expiresAt }),
  }));
  return structuredFailure({ error: 'awaiting_input', runId, requests: open });
}

/** The key came before, with something else. */
export function keyReused(what: 'input' | 'arguments'): ServedCall {
  return structuredFailure({
    error: 'key_reused',
    message: `This idempotency key came with other ${what}.`,
  });
}

/** An error that a program can tell from others: `error` is its word. */
export function structuredFailure(value: JsonObject & { readonly error: string }): ServedCall {
  return {
    kind: 'result',
    result: { content: [textContent(JSON.stringify(value))], structuredContent: value, isError: true },
  };
}
