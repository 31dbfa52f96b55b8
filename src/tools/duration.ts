import { HoldpointError } from '../agent/errors';

type Unit =
  | 'ms'
  | 's'
  | 'm'
  | 'h'
  | 'd'
  | 'w'
  | `millisecond${'' | 's'}`
  | `second${'' | 's'}`
  | `minute${'' | 's'}`
  | `hour${'' | 's'}`
  | `day${'' | 's'}`
  | `week${'' | 's'}`;

/** Milliseconds, or a number with a unit as Temporal's SDK spells it: `'90s'`, `'30 minutes'`, `'2 days'`. */
export type Duration = number | `${number}${Unit}` | `${number} ${Unit}`;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: SECOND,
  second: SECOND,
  m: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hour: HOUR,
  d: DAY,
  day: DAY,
  w: 7 * DAY,
  week: 7 * DAY,
};

const FORM = /^(\d+(?:\.\d+)?) ?([a-z]+)$/;

/** A deadline further away than this is no `Date` any more. */
const MAX_MS = 100 * 365 * DAY;

/**
 * A duration in whole milliseconds.
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` for anything else than a positive duration of
 * at most 100 years.
 */
export function durationMs(option: string, value: unknown): number {
  const ms = typeof value === 'string' ? parse(value) : value;
  if (typeof ms === 'number' && ms > 0 && ms <= MAX_MS) return Math.max(1, Math.round(ms));
  throw new HoldpointError(
    'Holdpoint.Tool.InvalidDefinition',
    `Expected \`${option}\` to be a positive number of milliseconds or a duration such as '30 minutes', got ${JSON.stringify(value) ?? typeof value}.`,
    { option },
  );
}

function parse(text: string): number | undefined {
  const [, amount, unit] = FORM.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const size = UNITS[unit] ?? (unit.length > 3 ? UNITS[unit.replace(/s$/, '')] : undefined);
  return size === undefined ? undefined : Number(amount) * size;
}
