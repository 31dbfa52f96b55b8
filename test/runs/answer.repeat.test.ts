import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import type { HoldpointClient } from '../../src/client';
import { calls, openDesk, pendingId, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { holdpointError, holdpointFailure } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk.close());

async function halt(...ids: string[]) {
  const halted = await desk.client.run('desk', desk.play([calls(...ids), { content: 'Done.' }]));
  return { runId: halted.runId, id: pendingId(halted), run: bareRun(desk.client, halted.runId) };
}

test('R29: a repeat by update gives the first receipt and writes no second one', async () => {
  const { id, run } = await halt('a', 'b');
  const answer = { ...relayAnswer(id, [{ id: 'a', output: '1' }]), answerId: 'first' };
  const receipt = await run.update(answer);
  await expect(run.update({ ...answer })).resolves.toEqual(receipt);
  expect((await run.state()).receipts.map((record) => record.receipt)).toEqual([receipt]);
});

test('R29: a repeat by signal is no rejection', async () => {
  const { id, run } = await halt('a', 'b');
  const answer = relayAnswer(id, [{ id: 'a', output: '1' }]);
  await run.signal(answer);
  await run.signal(answer);
  expect(await run.state()).toMatchObject({ rejections: [], receipts: [{ receipt: { settled: ['a'] } }] });
});

test('R29: a repeat is recognised whatever the order of its keys', async () => {
  const { id, run } = await halt('a', 'b');
  const results = [{ id: 'a', output: '1', isError: false }];
  const receipt = await run.update({ id, ok: true, data: { results, note: 'x' } });
  const turned = { data: { note: 'x', results: [{ isError: false, output: '1', id: 'a' }] }, ok: true, id };
  await expect(run.update(turned)).resolves.toEqual(receipt);
});

test('R29: without an answer id, another `by` makes it another answer', async () => {
  const { id, run } = await halt('a', 'b');
  const answer = relayAnswer(id, [{ id: 'a', output: '1' }]);
  await run.update({ ...answer, by: 'ann' });
  await expect(run.update({ ...answer, by: 'bob' })).rejects.toEqual(
    holdpointFailure('Holdpoint.Answer.AlreadyAnswered'),
  );
});

test('R29: a repeat gives the first receipt also after the run has closed', async () => {
  const { runId, id, run } = await halt('a');
  const answer = { ...answerOutput(id, '1'), answerId: 'first' };
  const receipt = await run.update(answer);
  await desk.client.result(runId);
  await expect(desk.client.answer(runId, answer)).resolves.toEqual(receipt);
  await expect(desk.client.runWithAnswer(runId, answer)).resolves.toMatchObject({ status: 'done' });
});

test('R29: a repeat gives the first receipt also after a later refusal under its answer id', async () => {
  const { id, run } = await halt('a', 'b');
  const answer = { ...relayAnswer(id, [{ id: 'a', output: '1' }]), answerId: 'first' };
  const receipt = await run.update(answer);
  await run.signal({ ...relayAnswer(id, [{ id: 'b', output: '9' }]), answerId: 'first' });
  expect(await run.state()).toMatchObject({
    rejections: [{ answerId: 'first', error: { type: 'Holdpoint.Answer.AnswerIdReused' } }],
  });
  await expect(run.update(answer)).resolves.toEqual(receipt);
});

test('R29: an accepted answer id with other content is refused, whatever that content is', async () => {
  const { id, run } = await halt('a', 'b');
  await run.update({ ...relayAnswer(id, [{ id: 'a', output: '1' }]), answerId: 'first' });
  for (const other of [
    relayAnswer(id, [{ id: 'b', output: '2' }]),
    answerDeclined(id),
    answerDeclined('nobody'),
  ])
    await expect(run.update({ ...other, answerId: 'first' })).rejects.toEqual(
      holdpointFailure('Holdpoint.Answer.AnswerIdReused'),
    );
});

test('R29: an acceptance removes earlier rejections of the same answer id', async () => {
  const { id, run } = await halt('a', 'b');
  await run.signal({ ...relayAnswer(id, [{ id: 'nobody', output: '1' }]), answerId: 'mine' });
  await run.signal({ ...relayAnswer(id, [{ id: 'nobody', output: '1' }]), answerId: 'theirs' });
  await run.signal({ ...relayAnswer(id, [{ id: 'a', output: '1' }]), answerId: 'mine' });
  expect((await run.state()).rejections.map(({ answerId }) => answerId)).toEqual(['theirs']);
});

test('R29: an answer that touches a settled call is refused whole; the open call stays open', async () => {
  const { id, run } = await halt('a', 'b');
  await run.update(relayAnswer(id, [{ id: 'a', output: '1' }]));
  const both = relayAnswer(id, [
    { id: 'a', output: '9' },
    { id: 'b', output: '9' },
  ]);
  await expect(run.update(both)).rejects.toEqual(holdpointFailure('Holdpoint.Answer.AlreadyAnswered', /"a"/));
  await expect(run.update(answerOutput(id, '2'))).resolves.toMatchObject({ settled: ['b'], resolved: true });
});

test('R29: yes and then no: the first stands, and the second is told so by every channel', async () => {
  const { runId, id, run } = await halt('a');
  const receipt = await run.update(answerOutput(id, '1'));
  const no = answerDeclined(id);
  await desk.client.result(runId);
  const refused = holdpointError('Holdpoint.Answer.AlreadyAnswered', /./, { receipt });
  await expect(desk.client.answer(runId, no)).rejects.toEqual(refused);
  await expect(desk.client.runWithAnswer(runId, no)).rejects.toEqual(refused);
  await expect(desk.client.get(runId)).resolves.toMatchObject({ toolCalls: [{ output: '1' }] });
});

test('R29: of yes and no at once by signal the first stands, the other is a rejection', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a'), calls('b')]));
  const id = pendingId(halted);
  const run = bareRun(desk.client, halted.runId);
  await Promise.all([run.signal(answerOutput(id, '1')), run.signal(answerDeclined(id))]);
  const { receipts, rejections } = await run.state();
  expect(rejections).toMatchObject([{ error: { type: 'Holdpoint.Answer.AlreadyAnswered' } }]);
  const { toolCalls } = await desk.client.waitForHalt(halted.runId);
  const declined = 'declined/expired: relay tool call stock to the caller for execution';
  expect(toolCalls[0]?.output).toBe(receipts[0]?.receipt.ok ? '1' : declined);
});

test('R29: an answer after the end is RunClosed where nothing had been answered', async () => {
  const { runId, id } = await halt('a');
  await desk.client.cancel(runId);
  await desk.client.result(runId);
  for (const send of [desk.client.answer.bind(desk.client), desk.client.runWithAnswer.bind(desk.client)])
    await expect(send(runId, answerOutput(id, '1'))).rejects.toEqual(
      holdpointError('Holdpoint.Answer.RunClosed'),
    );
});

test('R29: of twenty clients that answer at once, one is accepted and nineteen hear AlreadyAnswered', async () => {
  const { runId, id } = await halt('a');
  const clients = await Promise.all(Array.from({ length: 20 }, () => desk.connect()));
  const answerAs = (client: HoldpointClient, n: number) =>
    client.answer(runId, { ...answerOutput(id, String(n)), by: `client ${n}` });
  const outcomes = await Promise.allSettled(clients.map(answerAs));
  await Promise.all(clients.map((client) => client.disconnect()));

  const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  expect(accepted).toHaveLength(1);
  expect(refused).toEqual(Array(19).fill(holdpointError('Holdpoint.Answer.AlreadyAnswered')));
  const done = await desk.client.result(runId);
  expect(accepted[0]?.by).toBe(`client ${done.toolCalls[0]?.output}`);
});
