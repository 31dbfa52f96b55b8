import { isTransient } from '../../src/client/rpc-failure';
import { relayAnswer } from '../../src/agent/relay';
import type { RunSnapshot } from '../../src/agent/wire';
import { defineAgent, relayTool } from '../../src/tools';
import { bareRun, type BareRun } from '../support/bare-run';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { executionsOf, openRestlessStage } from './carried';
import type { Stage } from './stage';

const HALTS = 8;
/** Hosts that each deliver the result of one call of every halt. */
const HOSTS = ['signal-0', 'signal-1', 'update-0', 'update-1'] as const;

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  limits: { maxTurns: 1_000 },
  tools: [relayTool({ name: 'stock', description: '' })],
});

let stage: Stage;
let close: () => Promise<void>;
beforeAll(async () => {
  quietRuntime();
  ({ stage, close } = await openRestlessStage({ agents: [desk] }));
});
afterAll(() => close());

test('R23, R29: answers by signal and update from everywhere, all the time: each is accepted exactly once', async () => {
  const { client } = stage;
  const turns = Array.from({ length: HALTS }, (_, halt) => ({
    toolCalls: HOSTS.map((host) => ({ id: `${halt} ${host}`, name: 'stock', arguments: {} })),
  }));
  const { runId } = await client.start('desk', stage.play([...turns, { content: 'Done.' }]));
  const run = bareRun(client, runId);
  let over = false;
  const executions = new Set<string>();
  const noise = async (): Promise<void> => {
    for (let n = 0; !over; n += 1) {
      // Once the run has ended nothing takes them.
      await run.signal({ id: 'nothing', ok: true, answerId: `noise ${n}` }).catch(() => undefined);
      executions.add((await executionsOf(stage, runId)).now);
    }
  };
  const noises = noise();
  try {
    await Promise.all(HOSTS.map((host) => serve(host, run, runId)));
    const done = await client.result(runId);
    expect(done).toMatchObject({ status: 'done', turns: HALTS + 1 });
    expect(done.toolCalls.map(({ id, output }) => [id, output])).toEqual(
      turns.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => [id, `result of ${id}`])),
    );
    const settled = done.receipts?.map((receipt) => [receipt.answerId, receipt.via, receipt.settled]) ?? [];
    expect(settled.sort()).toEqual(
      turns.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => [id, id.split(/[ -]/)[1], [id]])).sort(),
    );
  } finally {
    over = true;
    await noises;
  }
  expect(executions.size).toBeGreaterThan(HALTS / 2);
}, 240_000);

/** Answers its call of each halt as soon as it sees it, and sends everything twice. */
async function serve(host: (typeof HOSTS)[number], run: BareRun, runId: string): Promise<void> {
  for (let halt = 0; halt < HALTS; halt += 1) {
    const call = `${halt} ${host}`;
    const { request } = await requestWith(run, call);
    const answer = {
      ...relayAnswer(request.id, [{ id: call, output: `result of ${call}` }]),
      answerId: call,
    };
    if (host.startsWith('signal')) {
      await run.signal(answer);
      await run.signal(answer);
    } else {
      const receipt = await stage.client.answer(runId, answer);
      expect(receipt).toMatchObject({ answerId: call, settled: [call] });
      await expect(stage.client.answer(runId, answer)).resolves.toEqual(receipt);
      await expect(stage.client.answer(runId, { ...answer, by: 'another' })).rejects.toEqual(
        holdpointError('Holdpoint.Answer.AnswerIdReused'),
      );
    }
  }
}

async function requestWith(run: BareRun, callId: string): Promise<RunSnapshot['requests'][number]> {
  for (;;) {
    // A query may find its run between two executions, and no worker gets it.
    const now = await run.state().catch((error: unknown) => {
      if (isTransient(error)) return undefined;
      throw error;
    });
    if (!now) continue;
    const { requests, status } = now;
    const open = requests.find(({ callIds }) => callIds.includes(callId));
    if (open) return open;
    if (status !== 'running' && status !== 'pending') throw new Error(`The run ended as ${status}`);
  }
}
