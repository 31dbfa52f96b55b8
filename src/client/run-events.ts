import { HoldpointError } from '../agent/errors';
import type { RunEvent } from '../agent/event';
import type { ProgressEvent } from '../agent/progress';
import type { ClientContext } from './client-context';
import { EventReader } from './event-reader';
import type { RunTarget } from './ids';
import { operate } from './operation';
import { ownIds } from './scope';
import type { EventsOptions } from './options';
import { ProgressWatch } from './progress-watch';

/** A run's events one by one. Each step is a call of its own, with the same wait limit. */
export async function* runEvents(
  context: ClientContext,
  target: RunTarget,
  { after, follow = true, progress = false, waitMs = Infinity, signal }: EventsOptions,
): AsyncGenerator<RunEvent | ProgressEvent, void, undefined> {
  checkAfter(after);
  const reader = new EventReader(context, target, { follow, ...(after !== undefined && { after }) });
  const source = follow && progress ? new ProgressWatch(context, target, reader) : reader;
  const goal = 'show another event';
  const remedy = 'Read on with `after`, the position of the last event.';
  for (;;) {
    const next = await operate(
      context,
      { target, goal, remedy },
      { waitMs, ...(signal && { signal }) },
      (limit) => source.next(limit),
    );
    if (!next) return;
    for (const event of next) yield ownIds(context, event);
  }
}

function checkAfter(after: unknown): void {
  if (after === undefined || (Number.isSafeInteger(after) && Number(after) >= -1)) return;
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `Expected \`after\` to be the position of an event, got ${JSON.stringify(after)}.`,
  );
}
