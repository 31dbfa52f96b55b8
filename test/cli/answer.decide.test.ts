import { userInfo } from 'node:os';
import type { RunResult } from '../../src/agent/result';
import type { ScriptedTurn } from '../../src/testing';
import { pendingId, type Desk } from '../client/desk';
import { containing, matching } from '../support/matchers';
import { documentOf, holdpoint } from './command';
import { openShop, REFUND, turn } from './shop';

let shop: Desk;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const DONE = { content: 'Done.' };
const STOCK = turn(['stock', 'a', { sku: 1 }], ['stock', 'b', { sku: 2 }]);

function halt(...turns: readonly ScriptedTurn[]): Promise<RunResult> {
  return shop.client.run('shop', shop.play([...turns, DONE]));
}

const outputsOf = ({ toolCalls }: RunResult): string[] => toolCalls.map(({ output }) => output);

test('--approve prints a receipt with the account’s name; the same answer again is a repeat, another one is refused with 5', async () => {
  const halted = await halt(REFUND);
  const args = ['answer', halted.runId, pendingId(halted)];
  const accepted = await holdpoint([...args, '--approve', '--json']);
  expect(accepted.code).toBe(0);
  expect(documentOf(accepted)).toMatchObject({ ok: true, by: userInfo().username, settled: ['c1'] });
  await shop.client.result(halted.runId);

  const repeat = await holdpoint([...args, '--approve', '--json']);
  expect(repeat).toEqual(accepted);
  const other = await holdpoint([...args, '--decline']);
  expect(other).toMatchObject({ code: 5, stdout: '', stderr: containing('The first answer stands.') });
  const without = await holdpoint(['answer', halted.runId, '--approve', '--json']);
  expect(without.code).toBe(5);
  const named = new RegExp(
    `was answered by .* at .*: holdpoint answer ${halted.runId} ${pendingId(halted)}, with`,
  );
  expect(documentOf(without)).toMatchObject({
    error: {
      type: 'Holdpoint.Answer.RunClosed',
      message: matching(named),
      data: { receipt: documentOf(accepted) },
    },
  });
});

test('--input runs the call with other arguments; --wait then ends as the run does', async () => {
  const { runId } = await halt(REFUND);
  const input = '{"order":"1047","cents":4500}';
  const done = await holdpoint(['answer', runId, '--input', input, '--by', 'ann', '--wait']);
  expect(done).toMatchObject({
    code: 0,
    stdout: 'Done.\n',
    stderr: matching(/^Accepted at .*, by ann\.\n$/),
  });
  expect(outputsOf(await shop.client.result(runId))).toEqual([containing('"cents":4500')]);
});

test('--decline says no with its reason, and --wait exits 3 at the next halt', async () => {
  const { runId } = await halt(REFUND, turn(['survey', 's1']));
  const next = await holdpoint(['answer', runId, '--decline', 'no receipt', '--wait', '--json']);
  expect(next.code).toBe(3);
  expect(documentOf(next)).toMatchObject({
    pending: { kind: 'question', prompt: 'How was it?' },
    toolCalls: [{ output: containing('reason: no receipt') }, {}],
  });
  // What a question takes is its tool's own affair: any object.
  const done = await holdpoint(['answer', runId, '--data', '{"stars":5}', '--wait', '--json']);
  expect(documentOf(done)).toMatchObject({ status: 'done', toolCalls: [{}, { output: '{"stars":5}' }] });
});

test('relayed calls take --result each, in parts; --output and --approve are refused with what to give', async () => {
  const { runId } = await halt(STOCK);
  const yes = await holdpoint(['answer', runId, '--approve']);
  expect(yes).toMatchObject({
    code: 2,
    stderr: containing('waits for a result, not for a yes. Give each: '),
  });
  const one = await holdpoint(['answer', runId, '--output', '12']);
  expect(one).toMatchObject({ code: 2, stderr: containing('--result a=<text> --result b=<text>') });
  const part = await holdpoint(['answer', runId, '--result', 'b=x=1']);
  expect(part).toMatchObject({ code: 0, stdout: containing('Still open: a.') });
  const unknown = await holdpoint(['answer', runId, '--result', 'c=1', '--json']);
  expect(unknown.code).toBe(5);
  expect(documentOf(unknown)).toMatchObject({ error: { type: 'Holdpoint.Answer.UnknownCall' } });
  await holdpoint(['answer', runId, '--output', '-'], { input: 'twelve\n' });
  expect(outputsOf(await shop.client.result(runId))).toEqual(['twelve', 'x=1']);
});

test('--json-answer takes the answer as a program would send it, for this request alone', async () => {
  const { runId } = await halt(REFUND);
  const args = ['answer', runId, '--json-answer', '-'];
  const foreign = await holdpoint(args, { input: '{"id":"other","ok":true}' });
  expect(foreign).toMatchObject({ code: 2, stderr: containing('is for request "other"') });
  const text = await holdpoint(args, { input: '{"ok":"yes"}' });
  expect(text).toMatchObject({ code: 2, stderr: containing('Expected `ok` to be a boolean') });
  const answer = { ok: true, data: { output: 'paid by hand' }, by: 'ann' };
  const given = await holdpoint([...args, '--wait'], { input: JSON.stringify(answer) });
  expect(given).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test('with several requests and no id it says which there are; with an id it answers that one', async () => {
  const { runId, requests = [] } = await halt(
    turn(['refund', 'r1', { cents: 1 }], ['survey', 's1'], ['stock', 'a']),
  );
  const unclear = await holdpoint(['answer', runId, '--approve']);
  expect(unclear.code).toBe(2);
  for (const { id, kind } of requests) expect(unclear.stderr).toContain(`  ${id}  (${kind}) `);
  const [refund] = requests;
  const one = await holdpoint(['answer', runId, refund?.id ?? '', '--approve', '--json']);
  expect(documentOf(one)).toMatchObject({ requestId: refund?.id, settled: ['r1'] });
});

test('two decisions at once, and none without a terminal, are wrong usage', async () => {
  const { runId } = await halt(REFUND);
  const both = await holdpoint(['answer', runId, '--approve', '--decline']);
  expect(both).toMatchObject({ code: 2, stderr: containing('--approve and --decline are two answers.') });
  const none = await holdpoint(['answer', runId]);
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(
    /no terminal to ask at[^]*holdpoint answer \S+ req_\S+ --approve +# lets it run\n/,
  );
  const gone = await holdpoint(['answer', runId, 'req_gone', '--approve', '--json']);
  expect(documentOf(gone)).toMatchObject({
    error: {
      type: 'Holdpoint.Answer.UnknownRequest',
      message: matching(/has no request "req_gone"\. `holdpoint requests` lists the open ones\.$/),
    },
  });
  expect(gone.code).toBe(5);
  // What is wrong is said of the option that was given, not of the data that it makes.
  const result = await holdpoint(['answer', runId, '--result', 'c1=paid']);
  expect(result).toMatchObject({
    code: 2,
    stderr: containing(
      '--result is for relayed calls; this request is of kind approval. Answer with --approve',
    ),
  });
});
