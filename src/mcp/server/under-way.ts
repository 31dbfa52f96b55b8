import type { CallPlaces } from './call-limits';
import { callerOf, type ServedTool } from './serve-call';

/** The calls that are being served. A run that nobody waits for any more is cancelled by its call: an end waits for that. */
export interface UnderWay {
  /** The same tool, whose calls are counted. */
  counted(tool: ServedTool): ServedTool;
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
}

export function newUnderWay(places: CallPlaces): UnderWay {
  const calls = new Set<Promise<unknown>>();
  return {
    counted: (tool) => ({
      ...tool,
      async serve(call, rules) {
        const leave = places.take(callerOf(call));
        const served = tool.serve(call, rules);
        calls.add(served);
        try {
          return await served;
        } finally {
          calls.delete(served);
          leave();
        }
      },
    }),
    async settled() {
      while (calls.size > 0) await Promise.allSettled(calls);
    },
  };
}
