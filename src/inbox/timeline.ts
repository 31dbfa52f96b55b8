import type { RunEvent } from '../agent/event';

/** One bar of a run's timeline, in milliseconds since its first event. */
export interface Span {
  readonly is: 'turn' | 'call' | 'wait';
  readonly label: string;
  readonly from: number;
  /** Absent while it goes on. */
  readonly to?: number;
  readonly failed?: boolean;
}

export interface Timeline {
  readonly spans: readonly Span[];
  /** When the first event began, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lengthMs: number;
}

/**
 * A run's turns, calls and waits in the order in which they began. A wait lasts from its request to the answer that
 * closed it. `undefined` for a run of which nothing is known yet.
 */
export function timelineOf(events: readonly RunEvent[], now: number, ended: boolean): Timeline | undefined {
  const [first] = events;
  if (!first) return undefined;
  const startedAt = Math.min(...events.map((event) => Date.parse(event.startedAt)));
  const last = Math.max(...events.map((event) => Date.parse(event.endedAt)));
  const endsAt = ended ? last : Math.max(last, now);
  const at = (instant: string): number => Date.parse(instant) - startedAt;
  const spans = events.flatMap((event): Span[] => {
    const from = at(event.startedAt);
    const to = at(event.endedAt);
    switch (event.type) {
      case 'model':
        return [{ is: 'turn', label: `Turn ${event.turn}: ${event.model}`, from, to }];
      case 'tool':
        return [{ is: 'call', label: event.name, from, to, failed: event.isError }];
      case 'request': {
        const answer = events.find(
          (other) => other.type === 'answer' && other.requestId === event.requestId && other.resolved,
        );
        const closed = answer ? at(answer.startedAt) : ended ? last - startedAt : undefined;
        return [{ is: 'wait', label: event.kind, from, ...(closed !== undefined && { to: closed }) }];
      }
      case 'answer':
      case 'run':
        return [];
    }
  });
  return {
    spans: spans.sort((a, b) => a.from - b.from),
    startedAt,
    lengthMs: Math.max(1, endsAt - startedAt),
  };
}
