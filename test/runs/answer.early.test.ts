import { answerOutput } from '../../src/agent/relay';
import { calls, openDesk, pendingId, type Desk } from '../client/desk';
import { bareRun, type BareRun } from '../support/bare-run';
import { holdpointFailure } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk.close());

interface Busy {
  readonly runId: string;
  readonly run: BareRun;
  /** The id that the next turn's request will have. */
  readonly next: string;
  /** Lets the model answer. */
  readonly goOn: () => void;
}

/** A run in its second model call; the third turn, if any, is the last. */
async function busy(turn: Parameters<Desk['play']>[0][number] = calls('b')): Promise<Busy> {
  let goOn = (): void => undefined;
  const hold = new Promise<void>((resolve) => (goOn = resolve));
  const text = desk.play([calls('a'), { ...turn, hold }, { content: 'Done.' }]);
  const halted = await desk.client.run('desk', text);
  const id = pendingId(halted);
  await desk.client.answer(halted.runId, answerOutput(id, '1'));
  const next = id.replace(/_1_0$/, '_2_0');
  return { runId: halted.runId, run: bareRun(desk.client, halted.runId), next, goOn };
}

test('R30: an answer that comes by signal before its request is held and settles it when it opens', async () => {
  const { runId, run, next, goOn } = await busy();
  await run.signal(answerOutput(next, '2'));
  expect(await run.state()).toMatchObject({ status: 'running', rejections: [] });
  goOn();
  const done = await desk.client.result(runId);
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: '1' }, { output: '2' }] });
  expect(done.receipts).toMatchObject([{}, { requestId: next, via: 'signal' }]);
});

test('R30: held answers are judged in their order: the first wins, the second is a rejection', async () => {
  const { runId, run, next, goOn } = await busy();
  await run.signal({ ...answerOutput(next, '2'), by: 'first' });
  await run.signal({ ...answerOutput(next, '3'), by: 'second' });
  goOn();
  await expect(desk.client.result(runId)).resolves.toMatchObject({ toolCalls: [{}, { output: '2' }] });
  expect((await run.state()).rejections).toMatchObject([
    { error: { type: 'Holdpoint.Answer.AlreadyAnswered' } },
  ]);
});

test('R30: by update an answer before its request is refused at once', async () => {
  const { run, next, goOn } = await busy();
  await expect(run.update(answerOutput(next, '2'))).rejects.toEqual(
    holdpointFailure('Holdpoint.Answer.UnknownRequest'),
  );
  goOn();
});

test('R30: while halted an answer for no open request is refused at once', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  const run = bareRun(desk.client, halted.runId);
  await run.signal(answerOutput('req_nobody', '2'));
  expect((await run.state()).rejections).toMatchObject([
    { requestId: 'req_nobody', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
  ]);
});

test('R30: what is still held at the halt is refused as unknown', async () => {
  const { runId, run, goOn } = await busy();
  await run.signal(answerOutput('req_nobody', '2'));
  goOn();
  await desk.client.waitForHalt(runId);
  expect((await run.state()).rejections).toMatchObject([
    { requestId: 'req_nobody', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
  ]);
});

test('R30: what is still held at the close is refused as unknown', async () => {
  const { runId, run, goOn } = await busy({ content: 'Done.' });
  await run.signal(answerOutput('req_nobody', '2'));
  goOn();
  await desk.client.result(runId);
  expect((await run.state()).rejections).toMatchObject([
    { requestId: 'req_nobody', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
  ]);
});

test('R30: at most 64 answers are held; of 66 the first two are refused', async () => {
  const { run, goOn } = await busy();
  for (let n = 0; n < 66; n += 1) await run.signal(answerOutput(`req_nobody_${n}`, '2'));
  expect((await run.state()).rejections).toMatchObject([
    { requestId: 'req_nobody_0', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
    { requestId: 'req_nobody_1', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
  ]);
  goOn();
});

test('R30: at most 256 kB of answers are held; the oldest go first', async () => {
  const { runId, run, next, goOn } = await busy();
  await run.signal(answerOutput('req_nobody', 'x'.repeat(150_000)));
  const output = 'y'.repeat(150_000);
  await run.signal(answerOutput(next, output));
  expect((await run.state()).rejections).toMatchObject([
    { requestId: 'req_nobody', error: { type: 'Holdpoint.Answer.UnknownRequest' } },
  ]);
  goOn();
  await expect(desk.client.result(runId)).resolves.toMatchObject({ toolCalls: [{}, { output }] });
});
