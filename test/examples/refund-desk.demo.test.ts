import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from 'holdpoint/client';
import { runCommand } from '../../src/testing/run-command';
import { testServer } from '../support/test-server';
import { demoEnvironment, ROOT } from './demo-environment';

const FINAL_TEXT =
  'Final text: Your refund for "Rain jacket, size M" is done. Paid 89.90 EUR back for order 1047.';

async function runDemo(args: readonly string[], env: NodeJS.ProcessEnv) {
  const lines: string[] = [];
  const { failure } = await runCommand(
    process.execPath,
    [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'examples/refund-desk/demo.ts', ...args],
    { cwd: ROOT, env, timeoutMs: 280_000, onLine: (line) => lines.push(line) },
  );
  return { failure, output: lines.join('\n') };
}

test('the demo kills its own worker while the run waits, answers with a new one, and exits 0', async () => {
  const { address, namespace } = testServer();
  const { failure, output } = await runDemo(['--auto'], demoEnvironment({ TEMPORAL_ADDRESS: address }));
  expect(output).toContain(FINAL_TEXT);
  expect(failure).toBeUndefined();

  expect(output).toMatch(/Inbox: http:\/\/127\.0\.0\.1:\d+\/inbox, sign in with hp_\w+/);
  expect(output).toMatch(/link {5}http:\/\/127\.0\.0\.1:\d+\/v1\/answers\/[\w.-]+/);

  const [, page = ''] =
    /inbox {4}http:\/\/127\.0\.0\.1:\d+(\/inbox\/requests\/refund-\w+\/req_[\w-]+)\n/.exec(output) ?? [];
  const [, asked = ''] = /request {2}(req_\S+) \(tool_call\)/.exec(output) ?? [];
  expect(page.endsWith(asked) && asked !== '').toBe(true);

  const [, killed] = /Killed worker (\d+) with SIGKILL/.exec(output) ?? [];
  const workers = [...output.matchAll(/Worker (\d+) takes work/g)].map(([, pid]) => pid);
  expect(workers).toEqual([killed, expect.not.stringMatching(String(killed))]);
  for (const pid of workers) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  expect(output).toContain(`Waiting for Temporal to notice that worker ${killed} is gone`);
  const steps = [
    'The run waits',
    'Killed worker',
    'Waiting for Temporal',
    'Answering',
    'Answering',
    'Transcript',
  ];
  expect(output).toMatch(new RegExp(steps.join('[^]*')));
  expect(output).toContain('calls refund({"order":"1047","amountCents":8990}) as call_3');
  expect(output).toContain('Order 1047 came back on Monday, unworn and complete.');

  const [, runId = ''] = /Run (refund-\w+):/.exec(output) ?? [];
  await using client = await createClient({ address, namespace });
  expect(await client.get(runId, { messages: false })).toMatchObject({ status: 'done', toolCallCount: 3 });
}, 300_000);

test('without a terminal the demo answers by itself; nothing at TEMPORAL_ADDRESS is an error that says what to do', async () => {
  const { failure, output } = await runDemo([], demoEnvironment({ TEMPORAL_ADDRESS: '127.0.0.1:1' }));
  expect(failure).toBe('ended with exit code 1');
  expect(output).toContain('Holdpoint.Server.Unreachable: No Temporal server');
  expect(output).toContain('unset TEMPORAL_ADDRESS to have one started');
  expect(output).not.toMatch(/^\s+at /m);
}, 120_000);

test('--run with the id of no run says that there is none, and starts nothing', async () => {
  const { address, namespace } = testServer();
  const runId = `refund-${randomUUID()}`;
  const args = ['--auto', '--run', runId];
  const { failure, output } = await runDemo(args, demoEnvironment({ TEMPORAL_ADDRESS: address }));
  expect(failure).toBe('ended with exit code 1');
  expect(output).toContain(`Holdpoint.Run.NotFound: Run "${runId}" is not in namespace "${namespace}"`);
  expect(output).not.toMatch(/The run is parked|^\s+at /m);
  await using client = await createClient({ address, namespace });
  await expect(client.get(runId)).rejects.toMatchObject({ type: 'Holdpoint.Run.NotFound' });

  const local = await runDemo(args, demoEnvironment({}));
  expect(local.failure).toBe('ended with exit code 1');
  expect(local.output).toContain(`There is no parked run ${runId}. Parked are: `);
}, 240_000);

test('an option that the demo does not have is refused, with the ones that it has', async () => {
  const { failure, output } = await runDemo(['--faster'], demoEnvironment({}));
  expect(failure).toBe('ended with exit code 2');
  expect(output).toMatch(/--faster[^]*Usage: npm run demo/);
}, 60_000);
