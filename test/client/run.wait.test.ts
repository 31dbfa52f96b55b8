import { answerOutput, relayAnswer } from '../../src/agent/relay';
import { holdpointError, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk?.close());

const historyOf = async (runId: string): Promise<number> =>
  (await desk.client.temporal.workflow.getHandle(runId).describe()).historyLength;

test('R35: a run without calls is done in one turn, with its text and its whole transcript', async () => {
  const text = desk.play([{ content: 'Hello.' }]);
  const result = await desk.client.run('desk', text);
  expect(result).toEqual({
    agent: 'desk',
    runId: expect.stringMatching(/^desk-[0-9a-f-]{36}$/) as unknown,
    status: 'done',
    text: 'Hello.',
    turns: 1,
    toolCallCount: 0,
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    model: 'scripted',
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'Hello.' },
    ],
    toolCalls: [],
    receipts: [],
  });
});

test('R35: a halted run gives its requests, and a placeholder with isError for each open call', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  const pending = halted.pending;
  expect(halted).toMatchObject({ status: 'pending', turns: 1, toolCallCount: 1, requests: [pending] });
  expect(halted.toolCalls).toEqual([
    {
      id: 'a',
      name: 'stock',
      args: { sku: 'a' },
      output: pending?.prompt,
      isError: true,
      metadata: { pending },
    },
  ]);
  expect(halted.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'a', content: pending?.prompt });
});

test('R35: a failed run is a result like any other, not a throw', async () => {
  const result = await desk.client.run('desk', desk.play([{ status: 401 }]));
  expect(result).toMatchObject({
    status: 'failed',
    error: objectWith({ type: 'Holdpoint.Model.Rejected' }),
    messages: [{ role: 'user' }],
  });
});

test('R35: messages: false leaves messages and calls empty and keeps the rest', async () => {
  const done = await desk.client.run('desk', desk.play([{ content: 'Brief.' }]), { messages: false });
  expect(done).toMatchObject({ status: 'done', text: 'Brief.', turns: 1, messages: [], toolCalls: [] });
  const halted = await desk.client.run('desk', desk.play([calls('a')]), { messages: false });
  expect(halted).toMatchObject({ status: 'pending', toolCallCount: 1, messages: [], toolCalls: [] });
});

test('get gives where a run stands without waiting for it; result waits through halts to the end', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), calls('b'), { content: 'Done.' }]));
  await expect(client.get(halted.runId)).resolves.toEqual(halted);
  const end = client.result(halted.runId);
  const again = await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  await client.runWithAnswer(halted.runId, answerOutput(pendingId(again), '2'));
  await expect(end).resolves.toMatchObject({ status: 'done', text: 'Done.' });
  await expect(client.waitForHalt(halted.runId)).resolves.toEqual(await end);
});

test('a halt that someone answers while it is being read is not shown half answered', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a', 'b')]));
  await using reader = await desk.connect();
  const service = reader.temporal.workflowService;
  const query = service.queryWorkflow.bind(service);
  let answered: Promise<unknown> | undefined;
  const answerFirst = async (request: Parameters<typeof query>[0]): Promise<unknown> => {
    const results = [{ id: 'a', output: '1' }];
    // Between the run's state and its transcript.
    if (request.query?.queryType === 'transcript')
      await (answered ??= client.answer(halted.runId, relayAnswer(pendingId(halted), results)));
    return query(request);
  };
  jest.spyOn(service, 'queryWorkflow').mockImplementation(answerFirst as never);
  await expect(reader.waitForHalt(halted.runId)).resolves.toMatchObject({
    receipts: [{ settled: ['a'] }],
    toolCalls: [
      { id: 'a', output: '1', isError: false },
      { id: 'b', isError: true },
    ],
  });
  expect(answered).toBeDefined();
});

test('waiting writes nothing to history and asks the run nothing until it ends', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const before = await historyOf(halted.runId);
  await using waiter = await desk.connect();
  const polls = jest.spyOn(waiter.temporal.workflowService, 'getWorkflowExecutionHistory');
  const queries = jest.spyOn(waiter.temporal.workflowService, 'queryWorkflow');
  const waits = [waiter.result(halted.runId), waiter.result(halted.runId)];
  while (polls.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(await historyOf(halted.runId)).toBe(before);
  expect(queries).not.toHaveBeenCalled();
  await client.answer(halted.runId, answerOutput(pendingId(halted), '1'));
  for (const wait of waits) await expect(wait).resolves.toMatchObject({ status: 'done' });
});

test('waiting works on a server that keeps no reader’s place and ends each reading', async () => {
  await using waiter = await desk.connect();
  const service = waiter.temporal.workflowService;
  const read = service.getWorkflowExecutionHistory.bind(service);
  const forget = async (request: Parameters<typeof read>[0]): Promise<unknown> => ({
    ...(await read(request)),
    nextPageToken: new Uint8Array(),
  });
  const polls = jest.spyOn(service, 'getWorkflowExecutionHistory').mockImplementation(forget as never);
  const halted = await waiter.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  expect(halted.status).toBe('pending');
  expect(polls).toHaveBeenCalled();
  const done = await waiter.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done.status).toBe('done');
});

test('an abort ends the waiting with its own reason and leaves the run alone', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const leaving = new AbortController();
  const reason = new Error('the browser went away');
  const wait = client.result(halted.runId, { signal: leaving.signal });
  setImmediate(() => leaving.abort(reason));
  await expect(wait).rejects.toBe(reason);
  await expect(client.run('desk', 'x', { signal: leaving.signal })).rejects.toBe(reason);
  const done = await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done.status).toBe('done');
});

test('a wait limit ends the waiting with an error that names the run, and leaves the run alone', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const error = holdpointError(
    'Holdpoint.Client.WaitTimedOut',
    new RegExp(`${halted.runId}.*300 ms.*goes on`),
    {
      runId: halted.runId,
      waitMs: 300,
    },
  );
  await expect(client.result(halted.runId, { waitMs: 300 })).rejects.toEqual(error);
  const done = await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done.status).toBe('done');
});

test('a wait limit that is no time is refused before anything is started', async () => {
  for (const waitMs of [0, -1, Number.NaN])
    await expect(desk.client.run('desk', 'x', { waitMs })).rejects.toEqual(
      holdpointError('Holdpoint.Client.InvalidOptions', /waitMs/),
    );
});

test('a run that is not there is Holdpoint.Run.NotFound wherever it is named', async () => {
  const { client } = desk;
  const runId = newId();
  const missing = holdpointError('Holdpoint.Run.NotFound', /never started/, { runId });
  const answer = { id: 'r', ok: true };
  for (const call of [
    () => client.get(runId),
    () => client.result(runId),
    () => client.waitForHalt(runId),
    () => client.cancel(runId),
    () => client.addMessage(runId, 'x'),
    () => client.continue(runId),
    () => client.answer(runId, answer),
    () => client.runWithAnswer(runId, answer),
  ])
    await expect(call()).rejects.toEqual(missing);
});

test('R34: a cancelled run ends as cancelled with balanced messages; it cannot be cancelled again', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a')]));
  await client.cancel(halted.runId);
  const end = await client.result(halted.runId);
  expect(end).toMatchObject({ status: 'cancelled', toolCalls: [{ id: 'a', isError: true }] });
  expect(end.pending).toBeUndefined();
  await expect(client.cancel(halted.runId)).rejects.toEqual(holdpointError('Holdpoint.Run.Closed'));
  await expect(client.addMessage(halted.runId, 'x')).rejects.toEqual(holdpointError('Holdpoint.Run.Closed'));
});

test('R41: a message to a halted run is delivered after the results of its turn', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  await client.addMessage(halted.runId, 'And hurry.');
  const done = await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done.messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'user', content: 'And hurry.' },
    { role: 'assistant', content: 'Done.' },
  ]);
});

test('R36: continue starts a new run from the transcript, with the same context, and refuses an open run', async () => {
  const { client } = desk;
  const turns = [calls('a'), { content: 'Done.' }];
  const halted = await client.run('desk', desk.play(turns), {
    limits: { maxTurns: 1 },
    context: { shop: 7 },
  });
  await expect(client.continue(halted.runId)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /has not ended/),
  );
  await client.cancel(halted.runId);
  const ended = await client.result(halted.runId);
  const runId = newId();
  const next = await client.continue(halted.runId, 'Go on.', { runId });
  expect(next).toMatchObject({ runId, status: 'done', text: 'Done.', turns: 1 });
  expect(next.messages).toEqual([
    ...ended.messages,
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: 'Done.' },
  ]);
  // The same continuation is the same run: its context is part of what is compared.
  await expect(client.continue(halted.runId, 'Go on.', { runId })).resolves.toEqual(next);
});
