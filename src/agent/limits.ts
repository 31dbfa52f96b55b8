import { cutText } from './cut-text';

/**
 * What a run may use (R36). All but `maxTurns` are unlimited when left out.
 */
export interface Limits {
  /** Model calls since the last input from outside. Default 10, minimum 1. */
  readonly maxTurns?: number;
  /** Model calls in the whole run. */
  readonly maxTotalTurns?: number;
  /** Tokens in the whole run, input and output together. */
  readonly maxTokens?: number;
  /** Tool calls in the whole run. */
  readonly maxToolCalls?: number;
  /** Active time in milliseconds, at most a hundred years; waiting for a host does not count. */
  readonly timeoutMs?: number;
}

export const DEFAULT_MAX_TURNS = 10;

/** A hundred years: no timer may be set for longer, or its workflow's step fails, again and again. */
export const MAX_DURATION_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/** Which limit ended a run as `incomplete`. */
export type LimitName = keyof Limits | 'transcriptSize';

const NAMES: readonly (keyof Limits)[] = [
  'maxTurns',
  'maxTotalTurns',
  'maxTokens',
  'maxToolCalls',
  'timeoutMs',
];

/** Says what is wrong with would-be limits, or `undefined`. */
export function limitsProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, limit] of Object.entries(value)) {
    if (!NAMES.includes(name as keyof Limits))
      return `Unknown limit \`${cutText(name, 100)}\`. The limits are ${NAMES.join(', ')}.`;
    if (limit === undefined) continue;
    if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
      return `Expected limit \`${name}\` to be a whole number of at least 1, got ${cutText(JSON.stringify(limit), 100)}.`;
    if (name === 'timeoutMs' && limit > MAX_DURATION_MS)
      return `Expected limit \`timeoutMs\` to be at most ${MAX_DURATION_MS} milliseconds, got ${limit}.`;
  }
  return undefined;
}
