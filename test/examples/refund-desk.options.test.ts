import { join } from 'node:path';
import { readOptions } from '../../examples/refund-desk/options';
import { runCommand } from '../../src/testing/run-command';
import { demoEnvironment, ROOT } from './demo-environment';

const ANSWER = ['node_modules/tsx/dist/cli.mjs', 'examples/refund-desk/answer.ts'].map((path) =>
  join(ROOT, path),
);

test('the demo reads its options', () => {
  expect(readOptions(['--auto', '--run', 'refund-1a', '--port', '7300'], {})).toEqual({
    auto: true,
    runId: 'refund-1a',
    port: 7300,
  });
  expect(readOptions(['--help'], {})).toBe('help');
});

test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
  ['an option that it does not have', ['--atuo'], {}, /--atuo/],
  ['a word on its own', ['auto'], {}, /auto/],
  ['a value for a switch', ['--auto=no'], {}, /--auto/],
  ['a run that is another option', ['--run', '--auto'], {}, /--run/],
  ['an empty run', ['--run='], {}, /--run to be a run id/],
  ['two runs', ['--run', 'a', '--run', 'b'], {}, /--run once/],
  ['a port that is none', ['--port', '1e3'], {}, /port number, got "1e3"/],
  ['an option before the --', [], { npm_config_auto: 'true' }, /npm run demo -- --auto/],
])('the demo refuses %s instead of going on without it', (_, args, env, message) => {
  expect(() => readOptions(args, env)).toThrow(message);
});

test('the answer script refuses a text that it would have to leave out', async () => {
  const words = ['run', 'request', 'decline', 'not', 'now'];
  const { failure, output } = await runCommand(process.execPath, [...ANSWER, ...words], {
    cwd: ROOT,
    env: demoEnvironment({}),
    timeoutMs: 60_000,
  });
  expect(failure).toBe('ended with exit code 1');
  expect(output).toMatch(/Quote a text of several words[^]*Usage: /);
});
