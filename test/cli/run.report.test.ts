import { exec } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newGate, newId, type Desk } from '../client/desk';
import { containing, matching, objectWith } from '../support/matchers';
import { testServer } from '../support/test-server';
import { commandEnvironment, documentOf, holdpoint, program, type CommandRun } from './command';
import { openShop, REFUND, turn } from './shop';

let shop: Desk;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const run = (text: string, ...options: readonly string[]): Promise<CommandRun> =>
  holdpoint(['run', 'shop', text, '--task-queue', shop.taskQueue, ...options]);

test('a run that is done prints what the agent said and nothing else, and exits 0', async () => {
  const text = shop.play([{ content: 'Hello, \u001b[2Jyou.\u202e' }]);
  const { code, stdout, stderr } = await run(text);
  expect(stdout).toBe('Hello, \\e[2Jyou.\\u{202e}\n');
  expect(stderr).toMatch(/^Run shop-[\w-]+\n$/);
  expect(code).toBe(0);
});

test('a halt exits 3 with the exact arguments and the commands that answer it, and such a command answers it', async () => {
  const runId = newId();
  const { code, stdout } = await run(shop.play([REFUND, { content: 'Refunded.' }]), '--run-id', runId);
  expect(code).toBe(3);
  expect(stdout).toMatch(new RegExp(`^Run ${runId} waits for an answer\\.\n\napproval req_`));
  expect(stdout).toContain('\n  refund Pays money back.\n    order  "1047"\n    cents  8990\n');
  expect(stdout).toContain('The tool says of itself: destructive.');

  const [approve = ''] = /holdpoint answer .* --approve/.exec(stdout) ?? [];
  await inShell(approve);
  expect((await shop.client.waitForHalt(runId)).text).toBe('Refunded.');
});

test('with --json the result is one document, for a halt and for an end', async () => {
  const halted = await run(shop.play([REFUND]), '--json');
  expect(documentOf(halted)).toMatchObject({
    status: 'pending',
    pending: { kind: 'approval', data: { input: { order: '1047', cents: 8990 } } },
  });
  expect([halted.code, halted.stderr]).toEqual([3, '']);
});

test('a run that ends otherwise than done exits 4 and says on standard error how it ended', async () => {
  const unknown = await holdpoint(['run', 'nobody', 'Hello', '--task-queue', shop.taskQueue]);
  expect(unknown).toMatchObject({ code: 4, stdout: '' });
  expect(unknown.stderr).toMatch(/failed after .*"nobody".*\(Holdpoint\.Run\.UnknownAgent\)/);

  const text = shop.play([turn(['look', 'a'])]);
  const limited = await run(text, '--max-turns', '1', '--json');
  expect(documentOf(limited)).toMatchObject({ status: 'incomplete', limit: 'maxTurns' });
  expect(limited.code).toBe(4);
});

test('--no-wait prints the id of a run that then goes on; the same id with another text is refused with 5', async () => {
  const runId = newId();
  const text = shop.play([{ content: 'Hello.' }]);
  const args = ['run', 'shop', '-', '--task-queue', shop.taskQueue, '--run-id', runId, '--no-wait'];
  const started = await holdpoint(args, { input: `${text}\n` });
  expect(started).toEqual({ code: 0, stdout: `${runId}\n`, stderr: '' });
  expect((await shop.client.waitForHalt(runId)).text).toBe('Hello.');

  const other = await run('Something else', '--run-id', runId, '--json');
  expect(other.code).toBe(5);
  expect(documentOf(other)).toEqual({
    error: objectWith({ type: 'Holdpoint.Run.AlreadyExists', message: containing('another --run-id') }),
  });
  expect(other.stderr).toContain(`"${runId}"`);
});

test('who gives up waiting exits 7, or 6 where there is no worker, and the run goes on', async () => {
  const nobody = await run(shop.play([]), '--task-queue', newId(), '--wait', '1s');
  expect(nobody.code).toBe(6);
  expect(nobody.stderr).toMatch(/No worker polls task queue .* start one with `holdpoint worker <file>`/);
  expect(nobody.stderr).toMatch(/wait again with `holdpoint show shop-[\w-]+ --wait`/);

  const gate = newGate();
  const slow = await run(shop.play([{ content: 'At last.', hold: gate.open }]), '--wait', '500ms', '--json');
  gate.unlock();
  expect(slow.code).toBe(7);
  const { error } = documentOf(slow) as { readonly error: { readonly data: { readonly runId: string } } };
  expect((await shop.client.waitForHalt(error.data.runId)).text).toBe('At last.');
});

test('no server is a sentence that says what to do, and exits 6, without a stack', async () => {
  const { code, stdout, stderr } = await holdpoint(['requests', '--address', '127.0.0.1:1', '--json']);
  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toEqual({
    error: {
      type: 'Holdpoint.Client.Unreachable',
      message: matching(/127\.0\.0\.1:1.*--address or TEMPORAL_ADDRESS.*holdpoint dev/),
      data: { address: '127.0.0.1:1', namespace: 'default' },
    },
  });
  expect(stderr).toMatch(/^holdpoint: No Temporal server answers/);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('wrong values are wrong usage, exit 2, before anything is connected', async () => {
  const nowhere = { env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
  const context = await holdpoint(['run', 'shop', 'Hello', '--context', '{order:1}'], nowhere);
  expect(context).toMatchObject({ code: 2, stderr: containing('What --context was given is not JSON.') });
  const turns = await holdpoint(['run', 'shop', 'Hello', '--max-turns', 'many', '--json'], nowhere);
  expect(turns.code).toBe(2);
  expect(documentOf(turns)).toEqual({
    error: { type: 'Holdpoint.Command.Usage', message: matching(/--max-turns.*whole number/) },
  });
});

/** Runs a line that the command printed, with `holdpoint` on the PATH. */
async function inShell(line: string): Promise<void> {
  const bin = join(dirname(program()), 'main.js');
  const command = line.replace(/^holdpoint/, `"${process.execPath}" "${bin}"`);
  await promisify(exec)(command, { env: commandEnvironment({ TEMPORAL_ADDRESS: testServer().address }) });
}
