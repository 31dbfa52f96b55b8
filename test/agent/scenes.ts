import { acceptAnswer } from '../../src/agent/intake';
import type { Route, ToolRoute } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { okResult } from '../../src/agent/tool';
import type { Scene } from './scripted-port';

export function tool(options: Partial<ToolRoute> = {}): Route {
  return { to: 'tool', timeoutMs: 0, ...options };
}

export function answer({ run, port }: Scene, raw: unknown): void {
  const acceptance = acceptAnswer(run, raw, { now: port.now(), via: 'call' });
  if (!acceptance.ok) throw acceptance.error;
  port.notify();
}

export function requestIds({ run }: Scene): string[] {
  return run.requests.map((open) => open.request.id);
}

/** An outcome for each call name that the test decides on, in any order. */
export function deferred(): {
  tool: (name: string) => Promise<ToolOutcome>;
  finish: (name: string) => Promise<void>;
  started: string[];
} {
  const resolvers = new Map<string, (outcome: ToolOutcome) => void>();
  const started: string[] = [];
  return {
    started,
    tool: (name) =>
      new Promise((resolve) => {
        started.push(name);
        resolvers.set(name, resolve);
      }),
    finish: async (name) => {
      resolvers.get(name)?.({ is: 'result', result: okResult(`${name} out`) });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
