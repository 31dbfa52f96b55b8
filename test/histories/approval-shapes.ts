/** Approvals with a policy, questions, rounds of questions, and sub-agents. */
import { inputDigest } from '../../src/agent/approval';
import { approve } from '../../src/agent/decisions';
import { suspendForRound } from '../../src/agent/input-round';
import { answerDeclined, answerOutput } from '../../src/agent/relay';
import { agentTool, defineAgent, defineTool, questionTool, relayTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import type { Desk } from '../client/desk';
import { until } from '../support/until';
import type { Shape } from './shapes';

const execute = (): string => 'paid';
const pay = defineTool({
  name: 'pay',
  description: 'Pays',
  needsApproval: true,
  approvers: ['ann'],
  execute,
});
const both = defineTool({ name: 'both', description: 'Pays much', needsApproval: true, quorum: 2, execute });
const remind = defineTool({
  name: 'remind',
  description: 'Pays at last',
  needsApproval: true,
  approvers: ['ann'],
  remindAfter: '1 second',
  escalateAfter: '2 seconds',
  escalateTo: ['boss'],
  execute,
});
const ask = { kind: 'input', prompt: 'Well?' };
const survey = defineTool({
  name: 'survey',
  description: 'Asks twice',
  execute: (_args, { round }) => {
    if (!round) return suspendForRound({ one: ask, two: ask }, { number: 1 });
    return 'one' in round.answers ? suspendForRound({ three: ask }, { number: 2 }) : 'asked';
  },
});
const stock = relayTool({ name: 'stock', description: 'Units in stock' });
const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, both, stock] });
const manager = defineAgent({ name: 'manager', model: 'scripted', tools: [agentTool(clerk)] });

export const approvalAgents = [
  defineAgent({
    name: 'desk',
    model: 'scripted',
    tools: [pay, both, remind, questionTool(), survey, agentTool(clerk), agentTool(manager)],
  }),
];

const done: ScriptedTurn = { content: 'Done.' };
const calls = (...each: [name: string, args?: object][]): ScriptedTurn => ({
  toolCalls: each.map(([name, args = {}], n) => ({ id: `c${n}`, name, arguments: JSON.stringify(args) })),
});

async function run(desk: Desk, ...turns: ScriptedTurn[]) {
  const result = await desk.client.run('desk', desk.play(turns));
  return { ...result, open: (n = 0): string => result.requests?.[n]?.id ?? '' };
}

const task = (desk: Desk, ...turns: ScriptedTurn[]) => ({ input: desk.play([...turns, done]) });

async function withSubAgents(desk: Desk) {
  const deep = task(desk, calls(['clerk', task(desk, calls(['stock'], ['both']))]));
  return run(desk, calls(['clerk', task(desk, calls(['pay']))], ['manager', deep]), done);
}

/** One sub-agent has ended, the other waits, two levels deep. */
async function parked(desk: Desk): Promise<string> {
  const { runId, open } = await withSubAgents(desk);
  await desk.client.answer(runId, approve(open(), { by: 'ann' }));
  await until('one has ended', async () => (await desk.client.get(`${runId}/agent-1-0`)).status === 'done');
  const state = async () => (await desk.client.get(runId)).status;
  await until('the run waits again', async () => (await state()) === 'pending');
  return runId;
}

async function answered(desk: Desk): Promise<string> {
  const { runId, requests = [] } = await withSubAgents(desk);
  for (const { id, kind, policy } of requests) {
    const answer = kind === 'tool_call' ? answerOutput(id, '3') : approve(id, { by: 'ann' });
    await desk.client.answer(runId, answer);
    if (policy?.quorum) await desk.client.answer(runId, approve(id, { by: 'bob' }));
  }
  await desk.client.result(runId);
  return runId;
}

async function cancelled(desk: Desk): Promise<string> {
  const { runId } = await withSubAgents(desk);
  await desk.client.cancel(runId);
  await desk.client.result(runId);
  return runId;
}

/** An approval of all calls, given for a sub-agent and taken back: the next call waits again. */
async function revoked(desk: Desk): Promise<string> {
  const below = task(desk, calls(['pay']), calls(['both']), calls(['pay']));
  const { runId, open } = await run(desk, calls(['clerk', below]), done);
  const next = await desk.client.runWithAnswer(runId, approve(open(), { by: 'ann', allCalls: true }));
  await desk.client.revokeApproval(runId, 'pay', { by: 'bob', path: ['clerk'] });
  const { id = '' } = next.pending ?? {};
  await desk.client.answer(runId, approve(id, { by: 'ann' }));
  const last = await desk.client.runWithAnswer(runId, approve(id, { by: 'bob' }));
  if (last.status !== 'pending') throw new Error('Expected the last call to wait for an approval');
  return runId;
}

export const APPROVAL_SHAPES: Readonly<Record<string, Shape>> = {
  'approval-half-voted-parked': async (desk) => {
    const { runId, open } = await run(desk, calls(['both']));
    await desk.client.answer(runId, approve(open(), { by: 'ann' }));
    return runId;
  },
  'approved-by-quorum': async (desk) => {
    const { runId, open } = await run(desk, calls(['both', { n: 1 }]), done);
    await desk.client.answer(runId, approve(open(), { by: 'ann' }));
    await desk.client.answer(runId, approve(open(), { by: 'bob', input: { n: 2 } }));
    await desk.client.runWithAnswer(runId, approve(open(), { by: 'cy', digest: inputDigest({ n: 2 }) }));
    return runId;
  },
  'approval-escalated-parked': async (desk) => {
    const { runId } = await run(desk, calls(['remind']));
    await until('it is escalated', async () => {
      const { requests = [] } = await desk.client.get(runId);
      return requests[0]?.policy?.escalatedAt !== undefined;
    });
    return runId;
  },
  'approved-all-calls': async (desk) => {
    const { runId, open } = await run(desk, calls(['pay'], ['pay']), calls(['pay']), done);
    const end = await desk.client.runWithAnswer(runId, approve(open(), { by: 'ann', allCalls: true }));
    if (end.status !== 'done') throw new Error('Expected the approval to cover the other calls');
    return runId;
  },
  'question-answered': async (desk) => {
    const question = { question: 'Which one?', choices: ['red', 'blue'] };
    const { runId, open } = await run(desk, calls(['question', question]), done);
    await desk.client.runWithAnswer(runId, answerOutput(open(), 'red'));
    return runId;
  },
  'round-half-answered-parked': async (desk) => {
    const { runId, open } = await run(desk, calls(['survey']));
    await desk.client.answer(runId, { id: open(1), ok: true });
    return runId;
  },
  'rounds-answered': async (desk) => {
    const { runId, open } = await run(desk, calls(['survey']), done);
    await desk.client.answer(runId, answerDeclined(open(1), 'no'));
    const { pending } = await desk.client.runWithAnswer(runId, { id: open(), ok: true });
    await desk.client.runWithAnswer(runId, { id: pending?.id ?? '', ok: true });
    return runId;
  },
  'sub-agents-parked': parked,
  'sub-agent-between-parked': async (desk) => `${await parked(desk)}/agent-1-1`,
  'sub-agent-parked': async (desk) => `${await parked(desk)}/agent-1-1/agent-1-0`,
  'sub-agents-answered': answered,
  'sub-agent-between-answered': async (desk) => `${await answered(desk)}/agent-1-1`,
  'sub-agent-answered': async (desk) => `${await answered(desk)}/agent-1-1/agent-1-0`,
  'sub-agents-revoked-parked': revoked,
  'sub-agent-revoked-parked': async (desk) => `${await revoked(desk)}/agent-1-0`,
  'sub-agents-cancelled': cancelled,
  'sub-agent-cancelled': async (desk) => `${await cancelled(desk)}/agent-1-1/agent-1-0`,
};
