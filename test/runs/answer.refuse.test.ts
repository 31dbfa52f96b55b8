import { randomUUID } from 'node:crypto';
import type { ErrorType } from '../../src/agent/errors';
import { relayCallsOf } from '../../src/agent/relay';
import type { RunSnapshot } from '../../src/agent/wire';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { bareRun, type BareRun } from '../support/bare-run';
import { holdpointError, holdpointFailure } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';

const SECRET = 'the-value-of-a-host';

const priced = relayTool({
  name: 'price',
  description: 'Price of a unit',
  outputSchema: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
});
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  inputSchema: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  needsApproval: true,
  execute: () => 'refunded',
});

let desk: Desk;
/** Two relay calls wait on one request, and an approval beside them. */
let runId: string;
let run: BareRun;
let relayId: string;
let approvalId: string;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [relayed, priced, refund] })]);
  const asked = [
    { id: 'a', name: 'stock', arguments: {} },
    { id: 'b', name: 'price', arguments: {} },
    { id: 'r', name: 'refund', arguments: { order: 1047 } },
  ];
  const halted = await desk.client.run('desk', desk.play([{ toolCalls: asked }, { content: 'Done.' }]));
  runId = halted.runId;
  run = bareRun(desk.client, runId);
  relayId = pendingId(halted);
  approvalId = halted.requests?.[1]?.id ?? '';
});
afterAll(() => desk.close());

const relay = (data: object) => () => ({ id: relayId, ok: true, data });
const approve = (data: object) => () => ({ id: approvalId, ok: true, data });

test('R24: a relay call tells the schema that its result is checked by, and one without any takes any text', async () => {
  const { pending } = await desk.client.get(runId);
  const { outputSchema } = priced;
  expect(relayCallsOf(pending)).toMatchObject([{ name: 'stock' }, { name: 'price', outputSchema }]);
  expect(relayCallsOf(pending)[0]).not.toHaveProperty('outputSchema');
});

const REFUSED: readonly [string, () => unknown, ErrorType][] = [
  ['R11: no object', () => SECRET, 'Holdpoint.Answer.Malformed'],
  ['R11: null', () => null, 'Holdpoint.Answer.Malformed'],
  ['R11: a list', () => [SECRET], 'Holdpoint.Answer.Malformed'],
  ['R11: without an id', () => ({ ok: true }), 'Holdpoint.Answer.Malformed'],
  ['R11: without `ok`', () => ({ id: relayId }), 'Holdpoint.Answer.Malformed'],
  ['R11: `ok` as the text "true"', () => ({ id: relayId, ok: 'true' }), 'Holdpoint.Answer.Malformed'],
  ['R11: `ok` as 1', () => ({ id: approvalId, ok: 1 }), 'Holdpoint.Answer.Malformed'],
  ['R11: `data` as a text', () => ({ id: relayId, ok: true, data: SECRET }), 'Holdpoint.Answer.Malformed'],
  [
    'R29: an empty `answerId`',
    () => ({ id: relayId, ok: false, answerId: '' }),
    'Holdpoint.Answer.Malformed',
  ],
  ['R22: the shorthand while two calls are open', relay({ output: SECRET }), 'Holdpoint.Answer.Malformed'],
  ['R24: neither results nor output', relay({ note: SECRET }), 'Holdpoint.Answer.Malformed'],
  ['R24: no data at all', () => ({ id: relayId, ok: true }), 'Holdpoint.Answer.Malformed'],
  ['R24: no result in the results', relay({ results: [] }), 'Holdpoint.Answer.Malformed'],
  ['R24: results that are no list', relay({ results: { a: SECRET } }), 'Holdpoint.Answer.Malformed'],
  ['R24: a result that is no object', relay({ results: [SECRET] }), 'Holdpoint.Answer.Malformed'],
  ['R24: a result without an id', relay({ results: [{ output: SECRET }] }), 'Holdpoint.Answer.Malformed'],
  [
    'R24: an unknown call id, beside a good one',
    relay({
      results: [
        { id: 'a', output: SECRET },
        { id: 'nobody', output: SECRET },
      ],
    }),
    'Holdpoint.Answer.UnknownCall',
  ],
  [
    'R24: the call of another request',
    relay({ results: [{ id: 'r', output: SECRET }] }),
    'Holdpoint.Answer.UnknownCall',
  ],
  [
    'R24: the same id twice',
    relay({
      results: [
        { id: 'a', output: SECRET },
        { id: 'a', output: SECRET },
      ],
    }),
    'Holdpoint.Answer.Malformed',
  ],
  [
    'R24: an output that is no string',
    relay({ results: [{ id: 'a', output: { units: SECRET } }] }),
    'Holdpoint.Answer.Malformed',
  ],
  [
    'R24: an `isError` that is no boolean',
    relay({ results: [{ id: 'a', output: SECRET, isError: 'no' }] }),
    'Holdpoint.Answer.Malformed',
  ],
  [
    'R24: a result against the output schema, beside a good one',
    relay({
      results: [
        { id: 'a', output: SECRET },
        { id: 'b', output: JSON.stringify({ cents: SECRET }) },
      ],
    }),
    'Holdpoint.Answer.Invalid',
  ],
  [
    'R24: edited arguments against the schema',
    approve({ input: { order: SECRET } }),
    'Holdpoint.Answer.Invalid',
  ],
  ['R28: edited arguments that are no object', approve({ input: SECRET }), 'Holdpoint.Answer.Malformed'],
  [
    'R28: a result and edited arguments',
    approve({ input: { order: 1 }, output: SECRET }),
    'Holdpoint.Answer.Malformed',
  ],
  ['R28: an approval with a result that is no string', approve({ output: 12 }), 'Holdpoint.Answer.Malformed'],
  [
    'R24: over one MiB',
    relay({ results: [{ id: 'a', output: SECRET.repeat(60_000) }] }),
    'Holdpoint.Answer.TooLarge',
  ],
  [
    'R29: a request that this run never had',
    () => ({ id: `req_${randomUUID()}_1_0`, ok: true }),
    'Holdpoint.Answer.UnknownRequest',
  ],
];

const withoutRejections = (state: RunSnapshot): RunSnapshot => ({ ...state, rejections: [] });

describe('R30: refused by signal, an answer changes nothing and is listed in the state', () => {
  test.each(REFUSED)('%s', async (_title, answer, type) => {
    const before = await run.state();
    await run.signal(answer());
    const after = await run.state();
    expect(withoutRejections(after)).toEqual(withoutRejections(before));
    expect(after.rejections).toHaveLength(before.rejections.length + 1);
    expect(after.rejections.at(-1)).toMatchObject({ error: { type } });
    expect(JSON.stringify(after.rejections)).not.toContain(SECRET);
  });
});

describe('R30: refused by update, an answer changes nothing and its sender gets the typed error', () => {
  test.each(REFUSED)('%s', async (_title, answer, type) => {
    const before = await run.state();
    const error: unknown = await run.update(answer()).catch((thrown: unknown) => thrown);
    expect(error).toEqual(holdpointFailure(type, /.../));
    expect(String(error)).not.toContain(SECRET);
    await expect(run.state()).resolves.toEqual(before);
  });
});

describe('R30: refused through the client, an answer changes nothing and throws the typed error', () => {
  test.each(REFUSED)('%s', async (_title, answer, type) => {
    const before = await run.state();
    for (const send of [desk.client.answer.bind(desk.client), desk.client.runWithAnswer.bind(desk.client)]) {
      const error: unknown = await send(runId, answer() as never).catch((thrown: unknown) => thrown);
      expect(error).toEqual(holdpointError(type, /.../));
      expect(String(error)).not.toContain(SECRET);
    }
    expect(withoutRejections(await run.state())).toEqual(withoutRejections(before));
  });
});

test('R30: at most 50 rejections are kept, the last ones', async () => {
  for (let n = 0; n < 55; n += 1) await run.signal({ id: `nobody-${n}`, ok: true });
  const { rejections } = await run.state();
  expect(rejections).toHaveLength(50);
  expect(rejections.at(-1)).toMatchObject({ requestId: 'nobody-54' });
});

test("R29: an answer to another run's request is unknown here, and does not touch that run", async () => {
  const other = await desk.client.run(
    'desk',
    desk.play([{ toolCalls: [{ id: 'a', name: 'stock', arguments: {} }] }]),
  );
  const answer = { id: pendingId(other), ok: true, data: { output: '1' } };
  await expect(desk.client.answer(runId, answer)).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownRequest'),
  );
  await expect(desk.client.get(other.runId)).resolves.toEqual(other);
});

test('R29: an answer to a run that does not exist says so', async () => {
  const answer = { id: relayId, ok: true, data: { output: '1' } };
  for (const send of [desk.client.answer.bind(desk.client), desk.client.runWithAnswer.bind(desk.client)])
    await expect(send(`t-${randomUUID()}`, answer)).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
});

test('R25: after all the refusals the same run takes good answers and ends', async () => {
  await desk.client.answer(runId, { id: approvalId, ok: false, data: { output: SECRET } });
  const results = [
    { id: 'a', output: '3' },
    { id: 'b', output: '{"cents":1999}' },
  ];
  const done = await desk.client.runWithAnswer(runId, { id: relayId, ok: true, data: { results } });
  expect(done).toMatchObject({ status: 'done' });
  expect(done.toolCalls.map((call) => call.output)).toEqual([
    '3',
    '{"cents":1999}',
    'declined/expired: approve refund({"order":1047})',
  ]);
});
