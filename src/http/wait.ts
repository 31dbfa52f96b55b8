import type { Context } from 'hono';
import { HoldpointError } from '../agent/errors';
import type { RunResult } from '../agent/result';
import type { HttpEnv, Services } from './services';

const MAX_WAIT_S = 60;

/** Seconds to wait for, by the header `Prefer`; a preference that cannot be read is none (RFC 7240). */
export function preferredWait(header: string | undefined): number {
  for (const preference of header?.split(',') ?? []) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_S);
  }
  return 0;
}

/** The result at the halt or the end; `undefined` when it did not come in time, or the server is about to end. */
export async function waitForHalt(
  { limits, closing }: Services,
  c: Context<HttpEnv>,
  runId: string,
  seconds: number,
): Promise<RunResult | undefined> {
  let endWait = (): void => undefined;
  try {
    endWait = limits.beginWait(c.get('identity').account);
    return await c.get('client').waitForHalt(runId, {
      waitMs: seconds * 1000,
      signal: AbortSignal.any([c.req.raw.signal, closing]),
    });
  } catch (error) {
    // What was asked for is done: whoever took a failure for its own would ask again, and have it twice.
    if (error instanceof HoldpointError || closing.aborted) return undefined;
    throw error;
  } finally {
    endWait();
  }
}

/** What a start is answered with: the result where it was waited for, otherwise where to find it. */
export async function startedResponse(
  services: Services,
  c: Context<HttpEnv>,
  started: { readonly runId: string; readonly status: string; readonly position?: number },
  prefer: string | undefined,
): Promise<Response> {
  const { runId } = started;
  c.header('location', `/v1/runs/${encodeURIComponent(runId)}`);
  const seconds = preferredWait(prefer);
  if (seconds > 0) {
    c.header('preference-applied', `wait=${seconds}`);
    const result = await waitForHalt(services, c, runId, seconds);
    if (result) return c.json(result, 200);
  }
  return c.json(started, 202);
}
