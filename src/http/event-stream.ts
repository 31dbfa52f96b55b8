import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { errorMessage } from '../agent/errors';
import type { RunEvent } from '../agent/event';
import type { ProgressEvent } from '../agent/progress';
import { requireScope } from './guard';
import { reads, type HttpEnv, type Services } from './services';

/** What a stream tells: events by their positions and, if asked for, what calls report between them. */
type Told = RunEvent | ProgressEvent;
type Next = IteratorResult<Told, unknown>;

/** Which events a reader wants. */
export interface StreamRange {
  /** Those after this position. */
  readonly after?: number;
  readonly progress: boolean;
}

/**
 * Streams a run's events. The run is looked for first, so that one that is not there is a 404 and not an empty
 * stream; whether the caller may still see it is asked again with every sign of life.
 */
export async function streamEvents(
  services: Services,
  c: Context<HttpEnv>,
  runId: string,
  { after, progress }: StreamRange,
): Promise<Response> {
  const client = c.get('client');
  const status = await statusOf(services, c, runId);
  const ended = status !== 'running' && status !== 'pending';
  if (ended && after !== undefined && !(await hasMore(services, c, runId, after))) return c.body(null, 204);
  c.header('x-accel-buffering', 'no');
  c.header('cache-control', 'no-store');
  // Hono answers HEAD by the same handler, and nobody would ever read this stream.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });

  const endWait = services.limits.beginWait(c.get('identity').account);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, services.closing]);
  const end = (): void => {
    over.abort();
    endWait();
  };
  return streamSSE(c, async (stream) => {
    stream.onAbort(end);
    try {
      // A run may say nothing for days: without this the reader would not even learn that it is connected.
      await stream.write(': connected\n\n');
      const options = { signal, progress, ...(after !== undefined && { after }) };
      await pump(services, c, stream, client.events(runId, options));
    } catch (error) {
      // The reader comes back by itself, with the position that it has.
      if (!signal.aborted)
        services.logger.warn({ route: '/v1/runs/{id}/events' }, `A stream broke off: ${errorMessage(error)}`);
    } finally {
      end();
    }
  });
}

async function statusOf(services: Services, c: Context<HttpEnv>, runId: string): Promise<string> {
  return (await c.get('client').get(runId, { ...reads(services), messages: false })).status;
}

async function hasMore(
  services: Services,
  c: Context<HttpEnv>,
  runId: string,
  after: number,
): Promise<boolean> {
  const options = { ...reads(services), after, follow: false };
  for await (const _ of c.get('client').events(runId, options)) return true;
  return false;
}

async function pump(
  services: Services,
  c: Context<HttpEnv>,
  stream: SSEStreamingApi,
  source: AsyncIterable<Told>,
): Promise<void> {
  const events: AsyncIterator<Told, unknown> = source[Symbol.asyncIterator]();
  let next: Promise<Next> | undefined;
  let askAgainAt = Date.now() + services.heartbeatMs;
  try {
    for (;;) {
      next ??= events.next();
      const got = await firstOf(next, services.heartbeatMs);
      if (Date.now() >= askAgainAt) {
        await refuseWithdrawn(services, c);
        askAgainAt = Date.now() + services.heartbeatMs;
      }
      if (got === 'quiet') {
        await stream.write(': still here\n\n');
        continue;
      }
      next = undefined;
      if (got.done) return;
      const { value } = got;
      await stream.writeSSE({
        // Without a position of its own: the reader comes back with that of the event before.
        ...('position' in value && { id: String(value.position) }),
        event: value.type,
        data: JSON.stringify(value),
      });
    }
  } finally {
    // It may never come, and its failure is nobody's any more.
    next?.catch(() => undefined);
  }
}

/** A credential may be withdrawn, narrowed or moved while its holder reads on. */
async function refuseWithdrawn(services: Services, c: Context<HttpEnv>): Promise<void> {
  const identity = await services.authenticate(c.req.raw.headers);
  requireScope(identity, 'runs:read');
  if (identity.tenant !== c.get('identity').tenant) throw new Error('The credential is another tenant’s now');
}

async function firstOf(next: Promise<Next>, ms: number): Promise<Next | 'quiet'> {
  const timer = new AbortController();
  try {
    const quiet = delay(ms, 'quiet' as const, { signal: timer.signal }).catch(() => 'quiet' as const);
    return await Promise.race([next, quiet]);
  } finally {
    timer.abort();
  }
}
