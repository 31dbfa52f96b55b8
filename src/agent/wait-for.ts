import type { Answer } from './answer';
import type { Request } from './request';

/** What a `waitFor` knows of the run that waits. */
export interface WaitForContext {
  readonly runId: string;
  readonly conversationId?: string;
  readonly agent: string;
  /** Aborts when the request was answered another way, the run was cancelled, or the time is up. */
  readonly signal: AbortSignal;
}

/**
 * A host inside the worker: answers a request while the run waits (R32). Called once per request; after a
 * worker's death again for the same request id. What it throws fails the run.
 */
export type WaitFor = (request: Request, ctx: WaitForContext) => Answer | Promise<Answer>;
