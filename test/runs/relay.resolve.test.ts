import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import { RELAY_OUTPUT_KEY } from '../../src/agent/relay';
import { calls, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk.close());

const PROMPT = 'relay tool call stock to the caller for execution';

async function halt(...ids: string[]) {
  const halted = await desk.client.run('desk', desk.play([calls(...ids), { content: 'Done.' }]));
  const id = pendingId(halted);
  const send = (answer: object) => desk.client.runWithAnswer(halted.runId, { id, ok: true, ...answer });
  return { runId: halted.runId, id, send };
}

const outcomes = ({ toolCalls }: Awaited<ReturnType<Desk['client']['get']>>) =>
  toolCalls.map(({ output, isError }) => [output, isError]);

test('R22: results are told apart by call id, in any order, each with its own `isError`', async () => {
  const { id, send } = await halt('a', 'b');
  const results = [
    { id: 'b', output: 'two', isError: true },
    { id: 'a', output: 'one' },
  ];
  expect(outcomes(await send(relayAnswer(id, results)))).toEqual([
    ['one', false],
    ['two', true],
  ]);
});

test('R22: the shorthand serves a request with one call', async () => {
  const { id, send } = await halt('a');
  expect(outcomes(await send(answerOutput(id, 'failed', { isError: true })))).toEqual([['failed', true]]);
});

test('R22: the shorthand serves a request whose other calls are settled', async () => {
  const { id, send } = await halt('a', 'b');
  await send(relayAnswer(id, [{ id: 'a', output: 'one' }]));
  expect(outcomes(await send(answerOutput(id, 'two')))).toEqual([
    ['one', false],
    ['two', false],
  ]);
});

test('R22: where both are given `results` win', async () => {
  const { send } = await halt('a');
  const data = { [RELAY_OUTPUT_KEY]: 'shorthand', results: [{ id: 'a', output: 'listed' }] };
  expect(outcomes(await send({ data }))).toEqual([['listed', false]]);
});

test('R12, R22: an empty output is an output', async () => {
  const { id, send } = await halt('a');
  expect(outcomes(await send(answerOutput(id, '')))).toEqual([['', false]]);
});

test('R23: results for some of the calls are kept; the receipt names the rest; hosts may take turns', async () => {
  const { runId, id } = await halt('a', 'b', 'c');
  const deliver = (call: string) => desk.client.answer(runId, relayAnswer(id, [{ id: call, output: call }]));
  await expect(deliver('c')).resolves.toMatchObject({ resolved: false, settled: ['c'], open: ['a', 'b'] });
  await expect(deliver('a')).resolves.toMatchObject({ resolved: false, settled: ['a'], open: ['b'] });
  const halted = await desk.client.get(runId);
  expect(halted).toMatchObject({ status: 'pending', pending: { id } });
  expect(outcomes(halted)).toEqual([
    ['a', false],
    [PROMPT, true],
    ['c', false],
  ]);
  await expect(deliver('b')).resolves.toMatchObject({ resolved: true, settled: ['b'], open: [] });
});

test('R23: kept results outlive their worker', async () => {
  const { id, send } = await halt('a', 'b');
  await send(relayAnswer(id, [{ id: 'b', output: 'two' }]));
  await desk.stopWorker();
  await desk.startWorker();
  expect(outcomes(await send(answerOutput(id, 'one')))).toEqual([
    ['one', false],
    ['two', false],
  ]);
});

test('R23: with `final` the missing results become errors that say so', async () => {
  const { send } = await halt('a', 'b');
  const done = await send({ data: { results: [{ id: 'b', output: 'two' }], final: true } });
  expect(done).toMatchObject({ status: 'done' });
  expect(outcomes(done)).toEqual([
    ['no result supplied on resume for stock', true],
    ['two', false],
  ]);
});

test('R25: a decline ignores its data, names the call, and gives its reason on a second line', async () => {
  const { id, send } = await halt('a', 'b');
  const data = { results: [{ id: 'a', output: 'one' }] };
  const done = await send({ ...answerDeclined(id, 'over budget'), data });
  expect(done).toMatchObject({ status: 'done', text: 'Done.' });
  expect(outcomes(done)).toEqual(Array(2).fill([`declined/expired: ${PROMPT}\nreason: over budget`, true]));
});

test.each(['declined', 'expired', 'cancelled'])('R25: the plain reason "%s" adds no line', async (reason) => {
  const { id, send } = await halt('a');
  expect(outcomes(await send(answerDeclined(id, reason)))).toEqual([[`declined/expired: ${PROMPT}`, true]]);
});

test('R25: a decline of what is left keeps the results that came before it', async () => {
  const { id, send } = await halt('a', 'b');
  await send(relayAnswer(id, [{ id: 'b', output: 'two' }]));
  expect(outcomes(await send(answerDeclined(id)))).toEqual([
    [`declined/expired: ${PROMPT}`, true],
    ['two', false],
  ]);
});
