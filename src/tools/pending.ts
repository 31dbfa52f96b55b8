import { HoldpointError } from '../agent/errors';
import type { JsonObject } from '../agent/json';
import { requestProblem, toRequestDraft, type RequestDraft } from '../agent/request';
import type { Suspension } from '../agent/tool';

/**
 * A result that suspends the call until its request is answered (R4). Without an `id` the run gives one.
 * With `ok: true` the tool runs once more, and `ctx.answer` holds the answer (R28).
 *
 * ```ts
 * execute: (args, ctx) => (ctx.answer ? 'sent' : pending({ kind: 'approval', prompt: 'Send it?' })),
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` when the request is not well formed.
 */
export function pending(request: RequestDraft): Suspension {
  const problem = requestProblem(request);
  if (problem !== undefined)
    throw new HoldpointError('Holdpoint.Tool.InvalidDefinition', `pending() got no request: ${problem}`);
  const draft: RequestDraft & JsonObject = { ...toRequestDraft(request) };
  return { output: request.prompt, isError: true, metadata: { pending: draft } };
}

/**
 * A suspension of kind `authorization`: somebody must visit `url` first.
 *
 * ```ts
 * if (!token) return authRequired(`https://accounts.example.com/authorize?state=${state}`);
 * ```
 */
export function authRequired(url: string, prompt = 'Authorization required to continue'): Suspension {
  return pending({ kind: 'authorization', prompt, url });
}
