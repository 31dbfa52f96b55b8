import type { WaitForOutcome } from '../agent/port';
import type { Request } from '../agent/request';
import type { WaitFor, WaitForContext } from '../agent/wait-for';
import { toPlainJson } from './plain-json';

const NONE: WaitForOutcome = { is: 'none' };

/** One request offered to `waitFor`, until it answers, its time is up, or nobody needs the answer (R32). */
export class HostAsking {
  readonly outcome: Promise<WaitForOutcome>;
  private readonly controller = new AbortController();
  private end: (outcome: WaitForOutcome) => void = () => undefined;

  constructor(waitFor: WaitFor, request: Request, ctx: Omit<WaitForContext, 'signal'>, timeoutMs: number) {
    const given = new Promise<WaitForOutcome>((resolve) => {
      this.end = resolve;
    });
    const timer = setTimeout(() => this.stop(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    this.outcome = Promise.race([this.ask(waitFor, request, ctx), given]).finally(() => clearTimeout(timer));
  }

  /** Ends the asking without an answer, whether or not the host minds its signal. */
  stop(reason?: unknown): void {
    // First: what the host throws because of the abort must not count.
    this.end(NONE);
    this.controller.abort(reason);
  }

  private async ask(
    waitFor: WaitFor,
    request: Request,
    ctx: Omit<WaitForContext, 'signal'>,
  ): Promise<WaitForOutcome> {
    const { signal } = this.controller;
    const answer: unknown = await waitFor(request, { ...ctx, signal });
    return { is: 'answer', answer: toPlainJson(answer, 'the answer', 'Holdpoint.Answer.Malformed') };
  }
}
