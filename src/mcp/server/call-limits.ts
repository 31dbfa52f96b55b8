import { ProtocolError } from '@modelcontextprotocol/server';
import { HoldpointError } from '../../agent/errors';

/** How much is served at once. */
export interface McpLimits {
  /** Calls under way, of all callers. Default 1,000. */
  readonly calls?: number;
  /** Calls under way of one caller. Default 100. */
  readonly callsPerCaller?: number;
  /** Bytes of an HTTP request's body. Default 2 MiB. */
  readonly bodyBytes?: number;
}

const DEFAULTS: Required<McpLimits> = { calls: 1_000, callsPerCaller: 100, bodyBytes: 2 * 1024 * 1024 };

/** The protocol has no code for it, and leaves those outside of its own ranges to applications: that of HTTP. */
const TOO_MANY = 429;

/** Nobody knows when a call ends; one that is refused costs next to nothing. */
const RETRY_AFTER_SECONDS = 1;

/** Throws `Holdpoint.Mcp.InvalidOptions`. */
export function limitsOf(given: McpLimits = {}): Required<McpLimits> {
  const limits = { ...DEFAULTS, ...given };
  for (const [name, value] of Object.entries(limits))
    if (typeof value !== 'number' || !(value >= 1))
      throw new HoldpointError(
        'Holdpoint.Mcp.InvalidOptions',
        `Expected \`limits.${name}\` to be a number from 1, got ${String(value)}.`,
        { option: `limits.${name}` },
      );
  return limits;
}

/** Places for calls. */
export interface CallPlaces {
  /** Takes one; call what it gives when the call has ended. Throws ProtocolError where there is none. */
  take(caller: string): () => void;
}

export function newCallPlaces({ calls, callsPerCaller }: Required<McpLimits>): CallPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0;
      if (own >= callsPerCaller) throw tooMany(`You have ${own} calls under way, as many as are allowed.`);
      if (all >= calls) throw tooMany('The server has as many calls under way as it takes.');
      all += 1;
      taken.set(caller, own + 1);
      return () => {
        all -= 1;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left === 0) taken.delete(caller);
        else taken.set(caller, left);
      };
    },
  };
}

function tooMany(what: string): ProtocolError {
  return new ProtocolError(TOO_MANY, `${what} Call again in ${RETRY_AFTER_SECONDS} s.`, {
    reason: 'too_many_calls',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
