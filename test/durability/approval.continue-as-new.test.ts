import { inputDigest } from '../../src/agent/approval';
import { approve } from '../../src/agent/decisions';
import type { ScriptedTurn, TestServer } from '../../src/testing';
import { defineAgent, defineTool } from '../../src/tools';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { startCarryingServer } from '../support/carrying-server';
import { bareRun, type BareRun } from '../support/bare-run';
import { until } from '../support/until';

let server: TestServer;
let desk: Desk;
const paid: unknown[] = [];
/** As many as a policy takes, as long as they may be. */
const approvers = Array.from({ length: 50 }, (_, n) => `${String(n).padStart(3, '0')} ${'ä'.repeat(196)}`);
const escalateTo = Array.from({ length: 50 }, (_, n) => `${String(n).padStart(3, '0')} ${'ß'.repeat(196)}`);

/** A server that has every run continue as new after a few events. */
beforeAll(async () => {
  server = await startCarryingServer();
  const base = {
    description: 'Pays',
    needsApproval: true as const,
    execute: (args: unknown) => {
      paid.push(args);
      return 'paid';
    },
  };
  const tools = [
    defineTool({ ...base, name: 'both', quorum: 3 }),
    defineTool({ ...base, name: 'pay' }),
    defineTool({ ...base, name: 'brief', quorum: 2, expiresIn: '4 seconds' }),
    defineTool({ ...base, name: 'crowd', approvers, escalateTo, escalateAfter: '1 second' }),
    // Nobody is reminded of what is gone, and an escalation at the deadline comes too late.
    defineTool({
      ...base,
      name: 'odd',
      approvers: ['ann'],
      remindAfter: '1 hour',
      escalateAfter: '2 seconds',
      escalateTo: ['boss'],
      expiresIn: '2 seconds',
    }),
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })], server);
});
beforeEach(() => paid.splice(0));
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

const done: ScriptedTurn = { content: 'Done.' };
const call = (name: string, args: object = {}): ScriptedTurn => ({
  toolCalls: [{ id: name, name, arguments: JSON.stringify(args) }],
});

/** Enough events for a halted run to continue as new. */
async function moveOn(runId: string, bare: BareRun): Promise<void> {
  const handle = desk.client.temporal.workflow.getHandle(runId);
  const { runId: before } = await handle.describe();
  for (let n = 0; n < 25; n += 1) await bare.signal({ id: 'nothing', ok: true, answerId: newId() });
  await until('it has continued as new', async () => (await handle.describe()).runId !== before);
}

test('votes outlive continue-as-new, each person has one, and by signal and update at once the call runs once', async () => {
  const { runId, pending } = await desk.client.run('desk', desk.play([call('both'), done]));
  const id = pending?.id ?? '';
  const bare = bareRun(desk.client, runId);
  await bare.update(approve(id, { by: 'ann' }));
  await moveOn(runId, bare);
  const again = { ...approve(id, { by: 'ann' }), answerId: 'again' };
  await expect(bare.update(again)).rejects.toMatchObject({ type: 'Holdpoint.Answer.AlreadyAnswered' });
  await bare.signal({ ...again, answerId: 'and again' });
  await bare.signal(approve(id, { by: 'bob', input: { n: 2 } }));
  await moveOn(runId, bare);
  const request = async () => (await bare.state()).requests[0]?.request;
  // Signals are taken when the run gets to them, which nobody is told of.
  await until('the edit counts', async () => (await request())?.policy?.votes?.[0]?.by === 'bob');
  expect(await request()).toMatchObject({ data: { input: { n: 2 } }, policy: { votes: [{ by: 'bob' }] } });
  const digest = inputDigest({ n: 2 });
  const people = ['cy', 'di', 'ed', 'fay', 'gus', 'hal'].map((by) => approve(id, { by, digest }));
  await Promise.allSettled([
    ...people.slice(0, 3).map((answer) => bare.signal(answer)),
    ...people.slice(3).map((answer) => bare.update(answer)),
  ]);
  const end = await desk.client.result(runId);
  expect(end.status).toBe('done');
  expect(paid).toEqual([{ n: 2 }]);
  const receipts = (await desk.client.get(runId)).receipts ?? [];
  expect(receipts.filter(({ ok, resolved }) => ok && resolved)).toHaveLength(1);
  expect(receipts).toHaveLength(4);
}, 60_000);

test('an approval of all calls outlives continue-as-new until it is taken back', async () => {
  const turns = [
    call('pay', { n: 1 }),
    call('both'),
    call('pay', { n: 2 }),
    call('both'),
    call('pay', { n: 3 }),
    done,
  ];
  const { runId, pending } = await desk.client.run('desk', desk.play(turns));
  const bare = bareRun(desk.client, runId);
  const second = await desk.client.runWithAnswer(
    runId,
    approve(pending?.id ?? '', { by: 'ann', allCalls: true }),
  );
  await moveOn(runId, bare);
  const third = await desk.client.runWithAnswer(runId, { id: pendingId(second), ok: false, by: 'ann' });
  expect(paid).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await desk.client.revokeApproval(runId, 'pay')).toBe(true);
  await moveOn(runId, bare);
  const last = await desk.client.runWithAnswer(runId, { id: pendingId(third), ok: false, by: 'ann' });
  expect(last.pending).toMatchObject({ kind: 'approval', data: { tool: 'pay' } });
  expect((await bare.state()).grants).toMatchObject([{ tool: 'pay', by: 'ann' }]);
  await desk.client.cancel(runId);
}, 60_000);

test('a vote does not keep a deadline from coming; a vote after it is refused', async () => {
  const { runId, pending } = await desk.client.run('desk', desk.play([call('brief'), done]));
  const id = pending?.id ?? '';
  await desk.client.answer(runId, approve(id, { by: 'ann' }));
  const end = await desk.client.result(runId);
  expect(end.toolCalls[0]).toMatchObject({ isError: true });
  await expect(desk.client.answer(runId, approve(id, { by: 'bob' }))).rejects.toThrow();
  expect(paid).toEqual([]);
}, 60_000);

test('of a crowd of approvers each finds the request, before and after it is escalated', async () => {
  const { runId } = await desk.client.run('desk', desk.play([call('crowd'), done]));
  const bare = bareRun(desk.client, runId);
  await until('it is escalated', async () => {
    const [open] = (await bare.state()).requests;
    return open?.request.policy?.escalatedAt !== undefined;
  });
  const findsIt = async (approver: string) =>
    (await desk.client.requests({ approver })).some((row) => row.runId === runId);
  for (const name of [approvers[0], approvers[49], escalateTo[0], escalateTo[25], escalateTo[49]])
    await until(`${String(name)} finds it`, () => findsIt(name ?? ''), 10_000);
  expect(await findsIt('somebody else')).toBe(false);
  await desk.client.cancel(runId);
}, 90_000);

test('a policy whose steps come at its deadline, or after it, expires as any other', async () => {
  const { runId } = await desk.client.start('desk', desk.play([call('odd'), done]));
  const end = await desk.client.result(runId);
  expect(end).toMatchObject({ status: 'done', toolCalls: [{ isError: true }] });
  expect((await desk.client.get(runId)).receipts).toMatchObject([{ via: 'expiry' }]);
  expect(paid).toEqual([]);
}, 60_000);
