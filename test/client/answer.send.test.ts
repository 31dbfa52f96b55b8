import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, relayTool } from '../../src/tools';
import { holdpointError, matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { calls, desk as plainDesk, newGate, newId, openDesk, pendingId, type Desk } from './desk';

const hasty = defineAgent({
  name: 'hasty',
  model: 'scripted',
  tools: [relayTool({ name: 'stock', description: 'Units in stock', expiresIn: 1_500 })],
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([plainDesk(), hasty]);
});
afterAll(() => desk?.close());

async function halt(...ids: string[]): Promise<RunResult> {
  return desk.client.run('desk', desk.play([calls(...ids), { content: 'Done.' }]));
}

test('answer gives the receipt of the run that accepted it, and the run goes on', async () => {
  const { client } = desk;
  const halted = await halt('a', 'b');
  const id = pendingId(halted);
  const first = await client.answer(halted.runId, {
    ...relayAnswer(id, [{ id: 'b', output: '2' }]),
    by: 'me',
  });
  expect(first).toMatchObject({ requestId: id, ok: true, resolved: false, settled: ['b'], open: ['a'] });
  expect(first).toMatchObject({ by: 'me', via: 'update', accepted: true });
  const second = await client.answer(halted.runId, answerOutput(id, '1'));
  expect(second).toMatchObject({ resolved: true, settled: ['a'], open: [] });
  const done = await client.result(halted.runId);
  expect(done.receipts).toEqual([first, second]);
});

test('R23: runWithAnswer gives the same halt while calls stay open', async () => {
  const { client } = desk;
  const halted = await halt('a', 'b');
  const id = pendingId(halted);
  const same = await client.runWithAnswer(halted.runId, relayAnswer(id, [{ id: 'b', output: '2' }]));
  expect(same).toMatchObject({
    status: 'pending',
    pending: { id },
    toolCalls: [
      { id: 'a', isError: true },
      { id: 'b', output: '2', isError: false },
    ],
  });
  await expect(client.runWithAnswer(halted.runId, answerOutput(id, '1'))).resolves.toMatchObject({
    status: 'done',
  });
});

test('R29: the same answer again is a repeat by either way, also after the run has closed', async () => {
  const { client } = desk;
  const halted = await halt('a');
  const answer = answerOutput(pendingId(halted), '1');
  const done = await client.runWithAnswer(halted.runId, answer);
  await expect(client.runWithAnswer(halted.runId, answer)).resolves.toEqual(done);
  await expect(client.answer(halted.runId, answer)).resolves.toEqual(done.receipts?.[0]);
  const reordered = { data: answer.data, ok: true, id: answer.id } as never;
  await expect(client.answer(halted.runId, reordered)).resolves.toEqual(done.receipts?.[0]);
});

test('R29: a repeat of an answer that came as a bare signal without an id is recognised by what it says', async () => {
  const { client } = desk;
  const halted = await halt('a');
  const answer = answerOutput(pendingId(halted), '1');
  await client.temporal.workflow.getHandle(halted.runId).signal('runWithAnswer', answer);
  const done = await client.result(halted.runId);
  await expect(client.answer(halted.runId, answer)).resolves.toEqual(done.receipts?.[0]);
});

test('R29: what is refused is refused in order: id reused, already answered, closed, unknown', async () => {
  const { client } = desk;
  const halted = await halt('a', 'b');
  const id = pendingId(halted);
  const send = [client.answer.bind(client), client.runWithAnswer.bind(client)];
  await client.answer(halted.runId, { ...relayAnswer(id, [{ id: 'a', output: '1' }]), answerId: 'one' });
  const reused = { ...relayAnswer(id, [{ id: 'a', output: '9' }]), answerId: 'one' };
  const touched = relayAnswer(id, [
    { id: 'a', output: '9' },
    { id: 'b', output: '2' },
  ]);
  const unknown = answerDeclined('req_of_another_run');
  for (const by of send) {
    await expect(by(halted.runId, reused)).rejects.toEqual(holdpointError('Holdpoint.Answer.AnswerIdReused'));
    await expect(by(halted.runId, touched)).rejects.toEqual(
      holdpointError('Holdpoint.Answer.AlreadyAnswered'),
    );
    await expect(by(halted.runId, unknown)).rejects.toEqual(
      holdpointError('Holdpoint.Answer.UnknownRequest'),
    );
  }
  await client.runWithAnswer(halted.runId, relayAnswer(id, [{ id: 'b', output: '2' }]));
  for (const by of send) {
    await expect(by(halted.runId, reused)).rejects.toEqual(holdpointError('Holdpoint.Answer.AnswerIdReused'));
    await expect(by(halted.runId, touched)).rejects.toEqual(
      holdpointError('Holdpoint.Answer.AlreadyAnswered'),
    );
    await expect(by(halted.runId, unknown)).rejects.toEqual(holdpointError('Holdpoint.Answer.RunClosed'));
  }
});

test('R24: an answer that the run refuses is thrown as its typed error and changes nothing', async () => {
  const { client } = desk;
  const halted = await halt('a');
  const id = pendingId(halted);
  const wrong = relayAnswer(id, [{ id: 'nobody', output: '1' }]);
  const refused = holdpointError('Holdpoint.Answer.UnknownCall', /nobody/);
  await expect(client.runWithAnswer(halted.runId, wrong)).rejects.toEqual(refused);
  await expect(client.answer(halted.runId, wrong)).rejects.toEqual(refused);
  const { rejections, ...now } = await client.get(halted.runId);
  expect(now).toEqual(halted);
  expect(rejections).toMatchObject([{ error: { type: 'Holdpoint.Answer.UnknownCall' } }]);
});

test('R30: an answer that is held does not fail for an older refusal under the same answer id', async () => {
  const { client } = desk;
  const gate = newGate();
  const text = desk.play([calls('a'), { ...calls('b'), hold: gate.open }, { content: 'Done.' }]);
  const halted = await client.run('desk', text);
  const id = pendingId(halted);
  const answerId = newId();
  const wrong = { ...relayAnswer(id, [{ id: 'b', output: '1' }]), answerId };
  await expect(client.runWithAnswer(halted.runId, wrong)).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownCall'),
  );
  await client.answer(halted.runId, answerOutput(id, '1'));
  const early = { ...answerOutput(id.replace(/_1_0$/, '_2_0'), '2'), answerId };
  const sent = client.runWithAnswer(halted.runId, early);
  await until('the answer is in the history', () => signalled(halted.runId, 2));
  gate.unlock();
  await expect(sent).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ output: '1' }, { output: '2' }],
  });
});

test('R30: an answer for a request that never opens is refused at the halt', async () => {
  const { client } = desk;
  const gate = newGate();
  const text = desk.play([{ ...calls('a'), hold: gate.open }]);
  const { runId } = await client.start('desk', text);
  const sent = client.runWithAnswer(runId, answerOutput('req_of_another_run', '1'));
  const refused = expect(sent).rejects.toEqual(holdpointError('Holdpoint.Answer.UnknownRequest'));
  await until('the answer is in the history', () => signalled(runId, 1));
  gate.unlock();
  await refused;
});

test('malformed and oversized answers are refused before anything is sent, without their values', async () => {
  const { client } = desk;
  const runId = newId();
  const malformed = holdpointError('Holdpoint.Answer.Malformed', /^(?!.*secret).*Nothing was sent/);
  for (const answer of [
    { id: 'r' },
    { id: 'r', ok: 'true', data: { a: 'secret' } },
    { ok: true },
    'secret',
    null,
  ]) {
    await expect(client.answer(runId, answer as never)).rejects.toEqual(malformed);
    await expect(client.runWithAnswer(runId, answer as never)).rejects.toEqual(malformed);
  }
  const large = answerOutput('r', 'x'.repeat(1_100_000));
  await expect(client.answer(runId, large)).rejects.toEqual(holdpointError('Holdpoint.Answer.TooLarge'));
});

test('R31: a request that expired is refused as expired while its run goes on, and nothing is sent', async () => {
  const { client } = desk;
  const gate = newGate();
  const text = desk.play([calls('a'), { content: 'Done.', hold: gate.open }]);
  const halted = await client.run('hasty', text);
  // Its second request tells that the run itself has declined the call.
  await desk.model.waitForRequest(desk.model.requests.length + 1);
  const signals = jest.spyOn(client.temporal.workflowService, 'signalWorkflowExecution');
  const late = answerOutput(pendingId(halted), '1');
  for (const by of [client.answer.bind(client), client.runWithAnswer.bind(client)])
    await expect(by(halted.runId, late)).rejects.toEqual(holdpointError('Holdpoint.Answer.Expired'));
  expect(signals).not.toHaveBeenCalled();
  signals.mockRestore();
  gate.unlock();
  await expect(client.result(halted.runId)).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ isError: true, output: matching(/^declined\/expired/) }],
  });
});

test('R31: with no worker to ask, an open request whose deadline has passed is refused as expired', async () => {
  const { client } = desk;
  const halted = await client.run('hasty', desk.play([calls('a')]));
  await desk.stopWorker();
  try {
    // Asking takes five seconds in vain, which is longer than the request lives.
    const sent = client.answer(halted.runId, answerOutput(pendingId(halted), '1'));
    await expect(sent).rejects.toEqual(holdpointError('Holdpoint.Answer.Expired', /Nothing was sent/));
  } finally {
    await desk.startWorker();
  }
});

test('an answer sent while no worker runs is taken by the worker that comes', async () => {
  const { client } = desk;
  const halted = await halt('a');
  await desk.stopWorker();
  const signals = jest.spyOn(client.temporal.workflowService, 'signalWorkflowExecution');
  const sent = client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  await until('the signal is sent', () => signals.mock.calls.length > 0);
  signals.mockRestore();
  await desk.startWorker();
  await expect(sent).resolves.toMatchObject({ status: 'done' });
});

test('twenty answers at once to one run are all taken, over the limit of ten updates in flight', async () => {
  const { client } = desk;
  const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
  const halted = await halt(...ids);
  const id = pendingId(halted);
  const receipts = await Promise.all(
    ids.map((call) => client.answer(halted.runId, relayAnswer(id, [{ id: call, output: call }]))),
  );
  expect(receipts.flatMap((receipt) => receipt.settled).sort()).toEqual([...ids].sort());
  const done = await client.result(halted.runId);
  expect(done.toolCalls.map((call) => call.output)).toEqual(ids);
});

async function signalled(runId: string, times: number): Promise<boolean> {
  const { events } = await desk.client.temporal.workflow.getHandle(runId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length >= times;
}
