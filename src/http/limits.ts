import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HoldpointError } from '../agent/errors';
import type { ConfigSource, HttpLimits } from '../config/config';

const MINUTE_S = 60;

/** Counts requests and waits, by the limits that the configuration has at that moment. */
export interface Limits {
  /** Counts a request of an account. Throws `Holdpoint.Http.RateLimited`. */
  countRequest(account: string): Promise<void>;
  /** Counts a request without a valid credential. Throws `Holdpoint.Http.RateLimited`. */
  countRefused(address: string): Promise<void>;
  /** Whether one more may be looked at, where that is work. Counts nothing. Throws `Holdpoint.Http.RateLimited`. */
  checkRefused(address: string): Promise<void>;
  /** Takes a place among those who wait; call what it gives when the wait is over. Throws `Holdpoint.Http.TooManyWaits`. */
  beginWait(account: string): () => void;
  /** Waits and streams that are open. */
  readonly waits: number;
}

export function createLimits(config: ConfigSource): Limits {
  const requests = rateLimiter(() => config.current.limits.requestsPerMinute);
  const refused = rateLimiter(() => config.current.limits.refusedPerMinute);
  const waits = new Map<string, number>();
  let open = 0;
  return {
    countRequest: requests.count,
    countRefused: refused.count,
    checkRefused: refused.check,
    beginWait(account) {
      checkWaits(config.current.limits, open, waits.get(account) ?? 0);
      open += 1;
      waits.set(account, (waits.get(account) ?? 0) + 1);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        open -= 1;
        const left = (waits.get(account) ?? 1) - 1;
        if (left === 0) waits.delete(account);
        else waits.set(account, left);
      };
    },
    get waits() {
      return open;
    },
  };
}

function checkWaits(limits: HttpLimits, all: number, own: number): void {
  if (all < limits.concurrentWaits && own < limits.concurrentWaitsPerKey) return;
  throw new HoldpointError(
    'Holdpoint.Http.TooManyWaits',
    `${own < limits.concurrentWaitsPerKey ? 'The server has' : 'You have'} as many waits and event streams open as are allowed. End some, or ask without waiting.`,
  );
}

interface RateLimiter {
  readonly count: (who: string) => Promise<void>;
  readonly check: (who: string) => Promise<void>;
}

function rateLimiter(perMinute: () => number): RateLimiter {
  let points = perMinute();
  let limiter = new RateLimiterMemory({ points, duration: MINUTE_S });
  const current = (): RateLimiterMemory => {
    if (points !== perMinute()) {
      points = perMinute();
      limiter = new RateLimiterMemory({ points, duration: MINUTE_S });
    }
    return limiter;
  };
  const limited = ({ msBeforeNext }: RateLimiterRes): HoldpointError => {
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return new HoldpointError(
      'Holdpoint.Http.RateLimited',
      `More than ${points} requests in a minute. Go on in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  };
  return {
    async count(who) {
      try {
        await current().consume(who);
      } catch (error) {
        throw error instanceof RateLimiterRes ? limited(error) : error;
      }
    },
    async check(who) {
      const state = await current().get(who);
      if (state && state.consumedPoints >= points) throw limited(state);
    },
  };
}
