import { parseInstant } from './instant';

const STEPS = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1_000, unit: 's' },
] as const;

/** A length of time in its two largest units: `2 d 3 h`, `4 min`, `12 s`. */
export function spokenMs(ms: number): string {
  const first = STEPS.findIndex((step) => ms >= step.ms);
  const large = STEPS[first];
  if (!large) return '0 s';
  const whole = Math.floor(ms / large.ms);
  const small = STEPS[first + 1];
  const rest = small ? Math.floor((ms % large.ms) / small.ms) : 0;
  // Seconds beside minutes say nothing that anybody acts on.
  const withRest = small && rest > 0 && large.unit !== 'min';
  return withRest ? `${whole} ${large.unit} ${rest} ${small.unit}` : `${whole} ${large.unit}`;
}

/** How long ago an instant was. */
export function spokenAge(instant: string | undefined, now: number): string {
  const at = instant === undefined ? undefined : parseInstant(instant);
  return at === undefined ? '' : spokenMs(Math.max(0, now - at));
}

/** When a request expires, seen from now. */
export function spokenDeadline(expiresAt: string | undefined, now: number): string {
  const at = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (at === undefined) return '';
  return at <= now ? 'overdue' : `in ${spokenMs(at - now)}`;
}
