import type { ServedTool } from './serve-call';

/** The calls that are being served. A run that nobody waits for any more is cancelled by its call: an end waits for that. */
export interface UnderWay {
  /** The same tool, whose calls are counted. */
  counted(tool: ServedTool): ServedTool;
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
}

export function newUnderWay(): UnderWay {
  const calls = new Set<Promise<unknown>>();
  return {
    counted: (tool) => ({
      ...tool,
      serve(call, rules) {
        const served = tool.serve(call, rules);
        calls.add(served);
        const forget = (): void => void calls.delete(served);
        served.then(forget, forget);
        return served;
      },
    }),
    async settled() {
      while (calls.size > 0) await Promise.allSettled(calls);
    },
  };
}
