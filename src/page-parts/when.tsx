/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { parseInstant } from '../agent/instant';
import { spokenMs } from '../agent/spoken-time';
import { spokenInstant } from './value-hint';

interface DeadlineProps {
  readonly expiresAt: string | undefined;
  readonly now: number;
}

/** A deadline, with what is left of it. The page's script keeps the words up to date. */
export function Deadline({ expiresAt, now }: DeadlineProps) {
  const at = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (expiresAt === undefined || at === undefined) return <span class="muted">no deadline</span>;
  const left = at - now;
  return (
    <time
      class={left < 3_600_000 ? 'deadline soon' : 'deadline'}
      datetime={expiresAt}
      data-deadline={expiresAt}
      title={spokenInstant(at)}
    >
      {left <= 0 ? 'expired' : `expires in ${spokenMs(left)}`}
    </time>
  );
}

/** A moment that has passed. */
export function Moment({ at }: { readonly at: string }) {
  const ms = parseInstant(at);
  return <time datetime={at}>{ms === undefined ? at : spokenInstant(ms)}</time>;
}

/** The same in a sentence: on a phone nothing shows what stands behind a word. */
export function DeadlineInFull({ expiresAt, now }: DeadlineProps) {
  const at = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (expiresAt === undefined || at === undefined) return <span class="muted">no deadline</span>;
  return (
    <span>
      <Deadline expiresAt={expiresAt} now={now} />: on {spokenInstant(at)} it counts as declined
    </span>
  );
}
