import type { Context } from '@temporalio/activity';
import type { JsonObject } from '../agent/json';

/** The worker sends at most one heartbeat a second; a cancellation comes back with one (R8). */
const INTERVAL_MS = 900;

/** Tells the server that the work goes on, with what the next attempt would need to know. */
export interface Heartbeats {
  /** Adds to the details that each heartbeat carries, and sends them. */
  note(details: JsonObject): void;
}

/** Heartbeats from the first moment of the work to its last, whatever it waits for. */
export async function withHeartbeats<T>(
  context: Context,
  work: (heartbeats: Heartbeats) => Promise<T>,
): Promise<T> {
  let details = noted(context);
  const beat = (): void => context.heartbeat(details);
  beat();
  const timer = setInterval(beat, INTERVAL_MS);
  try {
    return await work({
      note: (more) => {
        details = { ...details, ...more };
        beat();
      },
    });
  } finally {
    clearInterval(timer);
  }
}

/** What the last attempt's heartbeats carried. */
export function noted(context: Context): JsonObject {
  const details: unknown = context.info.heartbeatDetails;
  return typeof details === 'object' && details !== null && !Array.isArray(details)
    ? (details as JsonObject)
    : {};
}
