import { answerOutput } from '../../src/agent/relay';
import { defineAgent, defineTool } from '../../src/tools';
import { desk as plainDesk, openDesk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { halt, openHttpDesk, type HttpDesk } from './desk';

const CLIENTS = 100;

let payments = 0;
const payer = defineAgent({
  name: 'payer',
  model: 'scripted',
  tools: [
    defineTool({
      name: 'pay',
      description: 'Pays.',
      needsApproval: true,
      execute: () => `payment ${(payments += 1)}`,
    }),
  ],
});

let http: HttpDesk;
let url: string;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({}, await openDesk([plainDesk(), payer]));
  ({ url } = await http.serve());
});
afterAll(() => http?.close());

/** The server takes ten updates of a run at a time; the others wait their turn instead of failing. */
async function answerAtOnce(runId: string, answers: readonly object[]) {
  return Promise.all(
    answers.map(async (body, n) => {
      const response = await fetch(`${url}/v1/runs/${runId}/answers`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${http.key({ name: `person ${n}` })}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
    }),
  );
}

test('100 clients answer one request at once: one is accepted, 99 are told who won, the tool runs once', async () => {
  const text = http.desk.play([
    { toolCalls: [{ id: 'p', name: 'pay', arguments: {} }] },
    { content: 'Paid.' },
  ]);
  const started = await http.call('/v1/runs', {
    body: { agent: 'payer', input: text },
    headers: { prefer: 'wait=30' },
  });
  const runId = String(started.json['runId']);
  const { id } = started.json['pending'] as { id: string };
  const yes = Array.from({ length: CLIENTS }, () => ({ id, ok: true }));
  const replies = await answerAtOnce(runId, yes);
  const accepted = replies.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(1);
  const [winner] = accepted;
  const told = replies.filter(({ status }) => status === 409);
  expect(told).toHaveLength(CLIENTS - 1);
  for (const { body } of told)
    expect(body).toMatchObject({ code: 'Holdpoint.Answer.AlreadyAnswered', receipt: winner?.body });
  await expect(http.desk.client.result(runId)).resolves.toMatchObject({
    status: 'done',
    receipts: [winner?.body],
  });
  expect(payments).toBe(1);
});

test('100 clients that bring parts of one answer at once are all accepted', async () => {
  const ids = Array.from({ length: CLIENTS }, (_, n) => `call-${n}`);
  const { runId, requestId } = await halt(http, { ids });
  const parts = ids.map((id) => ({ id: requestId, ok: true, data: { results: [{ id, output: id }] } }));
  const replies = await answerAtOnce(runId, parts);
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  expect(replies.filter(({ body }) => body['resolved'] === true)).toHaveLength(1);
  await expect(http.desk.client.result(runId)).resolves.toMatchObject({ status: 'done' });
});

test('an answer and a decline at once: the loser learns what was said first', async () => {
  const { runId, requestId } = await halt(http);
  const replies = await answerAtOnce(runId, [answerOutput(requestId, '1'), { id: requestId, ok: false }]);
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409]);
});
