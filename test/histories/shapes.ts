/** The shapes that runs come in, each driven to where its history is recorded. */
import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import type { WaitFor } from '../../src/agent/wait-for';
import { defineAgent, defineTool, pending, relayTool } from '../../src/tools';
import { calls, pendingId, relayed, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { until } from '../support/until';

const order = { type: 'object', properties: { cents: { type: 'integer' } } };

/** Runs whose tool has begun. */
const begun = new Set<string>();
const hang = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'Ends when it is told to',
    ...more,
    execute: (_args, { signal, runId = '' }) => {
      begun.add(runId);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    },
  });

export const agents = [
  defineAgent({
    name: 'desk',
    model: 'scripted',
    instructions: 'You help at the desk.',
    tools: [
      relayed,
      relayTool({ name: 'quick', description: 'Answers soon', expiresIn: 1_500 }),
      relayTool({ name: 'slow', description: 'Answers late', expiresIn: '90 days' }),
      relayTool({ name: 'careful', description: 'Asks first', inputSchema: order, needsApproval: true }),
      defineTool({ name: 'look', description: 'Looks', execute: () => 'seen' }),
      defineTool({ name: 'alone', description: 'Runs alone', exclusive: true, execute: () => 'seen alone' }),
      defineTool({
        name: 'refund',
        description: 'Refunds',
        inputSchema: order,
        needsApproval: (args) => JSON.stringify(args) !== '{"cents":1}',
        execute: () => 'refunded',
      }),
      defineTool({
        name: 'asking',
        description: 'Asks',
        execute: (_args, { answer }) =>
          answer ? 'answered' : pending({ kind: 'question', prompt: 'Well?' }),
      }),
      hang('hang'),
      hang('risky', { onUnknownOutcome: 'ask' }),
    ],
  }),
];

const call = (name: string, args: object = {}) => ({ id: name, name, arguments: JSON.stringify(args) });
const turn = (...toolCalls: ReturnType<typeof call>[]) => ({ toolCalls });
const done = { content: 'Done.' };

/** Drives one run or conversation and gives its workflow id. */
export type Shape = (desk: Desk) => Promise<string>;

async function run(desk: Desk, ...turns: Parameters<Desk['play']>[0]) {
  const result = await desk.client.run('desk', desk.play(turns), { context: { user: 7 } });
  const open = (n = 0): string => result.requests?.[n]?.id ?? '';
  return { ...result, open, bare: bareRun(desk.client, result.runId) };
}

async function began(desk: Desk, name: string): Promise<string> {
  const { runId } = await desk.client.start('desk', desk.play([turn(call(name)), done]));
  await until(`${name} has begun`, () => begun.has(runId));
  return runId;
}

async function unknownOutcome(desk: Desk): Promise<string> {
  const runId = await began(desk, 'risky');
  await desk.stopWorker();
  await desk.startWorker();
  await desk.client.waitForHalt(runId);
  return runId;
}

export const RUN_SHAPES: Readonly<Record<string, Shape>> = {
  plain: async (desk) => (await run(desk, done)).runId,
  tools: async (desk) => (await run(desk, turn(call('look'), call('alone')), turn(call('look')), done)).runId,
  'relay-parked': async (desk) => (await run(desk, turn(call('stock'), call('look'), call('slow')))).runId,
  'relay-answered-by-signal': async (desk) => {
    const { runId, open } = await run(desk, calls('a', 'b'), done);
    await desk.client.runWithAnswer(runId, relayAnswer(open(), [{ id: 'b', output: '2' }]));
    await desk.client.runWithAnswer(runId, answerOutput(open(), '1'));
    return runId;
  },
  'relay-answered-by-update': async (desk) => {
    const { runId, open } = await run(desk, calls('a', 'b'), done);
    await desk.client.answer(runId, relayAnswer(open(), [{ id: 'b', output: '2' }]));
    await desk.client.answer(runId, answerDeclined(open(), 'sold out'));
    await desk.client.result(runId);
    return runId;
  },
  'relay-expired': async (desk) => {
    const { runId } = await run(desk, turn(call('quick')), done);
    await desk.client.result(runId);
    return runId;
  },
  'relay-partly-answered-parked': async (desk) => {
    const { runId, open } = await run(desk, calls('a', 'b'));
    await desk.client.runWithAnswer(runId, relayAnswer(open(), [{ id: 'b', output: '2' }]));
    return runId;
  },
  'answers-refused-parked': async (desk) => {
    const { runId, open, bare } = await run(desk, calls('a'));
    for (const answer of [null, { id: 'nobody', ok: true }, { id: open(), ok: true }])
      await bare.signal(answer);
    await bare.update({ id: 'nobody', ok: true }).catch(() => undefined);
    await bare.state();
    return runId;
  },
  'answer-held': async (desk) => {
    let goOn = (): void => undefined;
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    const { runId, open, bare } = await run(desk, calls('a'), { ...calls('b'), hold }, done);
    await desk.client.answer(runId, answerOutput(open(), '1'));
    await bare.signal(answerOutput(open().replace(/_1_0$/, '_2_0'), '2'));
    await bare.state();
    goOn();
    await desk.client.result(runId);
    return runId;
  },
  'messages-added': async (desk) => {
    const { runId, open } = await run(desk, calls('a'), done);
    await desk.client.addMessage(runId, 'Hurry');
    await desk.client.runWithAnswer(runId, answerOutput(open(), '1'));
    return runId;
  },
  'approval-parked': async (desk) => (await run(desk, turn(call('refund', { cents: 900 })))).runId,
  approved: async (desk) => {
    const { runId, open } = await run(desk, turn(call('refund', { cents: 900 }), call('look')), done);
    await desk.client.runWithAnswer(runId, { id: open(), ok: true });
    return runId;
  },
  'approval-edited': async (desk) => {
    const { runId, open } = await run(desk, turn(call('refund', { cents: 900 })), done);
    const second = await desk.client.runWithAnswer(runId, {
      id: open(),
      ok: true,
      data: { input: { cents: 2 } },
    });
    await desk.client.runWithAnswer(runId, { id: pendingId(second), ok: true });
    return runId;
  },
  'approval-then-relay': async (desk) => {
    const { runId, open } = await run(desk, turn(call('careful', { cents: 9 }), call('stock')), done);
    const relay = await desk.client.runWithAnswer(runId, { id: open(), ok: true });
    const results = ['careful', 'stock'].map((id) => ({ id, output: '1' }));
    await desk.client.runWithAnswer(runId, relayAnswer(pendingId(relay), results));
    return runId;
  },
  'suspension-answered': async (desk) => {
    const { runId, open } = await run(desk, turn(call('asking')), done);
    await desk.client.runWithAnswer(runId, { id: open(), ok: true });
    return runId;
  },
  'reconcile-parked': unknownOutcome,
  'reconcile-answered': async (desk) => {
    const runId = await unknownOutcome(desk);
    const id = pendingId(await desk.client.waitForHalt(runId));
    await desk.client.runWithAnswer(runId, { id, ok: true, data: { output: 'It was paid' } });
    return runId;
  },
  'cancelled-in-tool': async (desk) => {
    const runId = await began(desk, 'hang');
    await desk.client.cancel(runId);
    await desk.client.result(runId);
    return runId;
  },
  'cancelled-while-halted': async (desk) => {
    const { runId } = await run(desk, calls('a'));
    await desk.client.cancel(runId);
    await desk.client.result(runId);
    return runId;
  },
  failed: async (desk) => (await run(desk, turn(call('look')), { status: 401 })).runId,
  'limit-turns': async (desk) => {
    const limits = { maxTurns: 1 };
    return (await desk.client.run('desk', desk.play([turn(call('look'))]), { limits })).runId;
  },
  'limit-time': async (desk) => {
    const limits = { timeoutMs: 1_000 };
    return (await desk.client.run('desk', desk.play([turn(call('hang'))]), { limits })).runId;
  },
};

/** A host in the worker that answers what begins with a, leaves b alone, and throws at c. */
export const host: WaitFor = ({ id, data }, { signal }) => {
  const label = JSON.stringify(data).match(/"sku":"(.)/)?.[1];
  if (label === 'a') return answerOutput(id, '1');
  if (label === 'c') throw new Error('The till is shut');
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('stopped'))),
  );
};

export const HOSTED_SHAPES: Readonly<Record<string, Shape>> = {
  'wait-for-answered': async (desk) => (await run(desk, calls('a1', 'a2'), done)).runId,
  'wait-for-timed-out-parked': async (desk) => (await run(desk, calls('a', 'b'))).runId,
  'wait-for-thrown': async (desk) => (await run(desk, calls('a', 'c'))).runId,
  'wait-for-overtaken-by-signal': async (desk) => {
    const { runId } = await desk.client.start('desk', desk.play([calls('b'), done]));
    const bare = bareRun(desk.client, runId);
    const requests = async () => (await bare.state()).requests;
    await until('the host is asked', async () => (await requests()).length === 1);
    await bare.signal(answerOutput((await requests())[0]?.request.id ?? '', '1'));
    await desk.client.result(runId);
    return runId;
  },
};
