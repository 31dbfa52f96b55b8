import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../src/testing/run-command';
import { testServer } from '../support/test-server';
import { demoEnvironment, ROOT } from './demo-environment';

const FOLDER = 'examples/testing';
const files = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.test.ts'));

test.each(files)(
  "%s passes with Node's own test runner, as its reader would run it",
  async (file) => {
    const lines: string[] = [];
    const { failure } = await runCommand(
      process.execPath,
      [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), '--test', join(FOLDER, file)],
      {
        cwd: ROOT,
        env: demoEnvironment({ TEMPORAL_ADDRESS: testServer().address, NODE_ENV: 'test' }),
        timeoutMs: 230_000,
        onLine: (line) => lines.push(line),
      },
    );
    expect({ failure, output: lines.join('\n') }).toEqual({
      failure: undefined,
      output: expect.stringMatching(/^# pass [1-9][^]*^# skipped 0$/m) as string,
    });
  },
  240_000,
);
