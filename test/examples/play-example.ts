import { join } from 'node:path';
import { runCommand } from '../../src/testing/run-command';
import { testServer } from '../support/test-server';
import { demoEnvironment, ROOT } from './demo-environment';

/** How an example ended, with all that it printed. */
export interface Played {
  readonly failure: string | undefined;
  readonly output: string;
}

/** Runs `npm run example <args>` on the test run's server, with the scripted model. */
export async function playExample(...args: readonly string[]): Promise<Played> {
  const lines: string[] = [];
  const { failure } = await runCommand(
    process.execPath,
    [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'examples/run.ts', ...args],
    {
      cwd: ROOT,
      env: demoEnvironment({ TEMPORAL_ADDRESS: testServer().address }),
      timeoutMs: 230_000,
      onLine: (line) => lines.push(line),
    },
  );
  return { failure, output: lines.join('\n') };
}
