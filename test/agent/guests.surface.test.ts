import { inputDigest } from '../../src/agent/approval';
import { approve } from '../../src/agent/decisions';
import { reportOf } from '../../src/agent/child-report';
import { applyGrants, isStanding, revokeGrants } from '../../src/agent/grants';
import { takeReport } from '../../src/agent/guests';
import { acceptAnswer, receiveAnswer } from '../../src/agent/intake';
import { newRun } from '../../src/agent/new-run';
import { relayAnswer } from '../../src/agent/relay';
import type { RequestDraft } from '../../src/agent/request';
import type { CallState, Forward, RunState } from '../../src/agent/run-state';
import { RELAY, scene, ScriptedPort, type PortTurn, type Scene } from './scripted-port';
import { tool } from './scenes';

const CHILD = 'run-1/agent-1-0';
const DONE: PortTurn = { content: 'Done.' };
const DELEGATED = { is: 'delegated', seq: 0, halted: false, known: [] } as const;

function hold(draft: Partial<RequestDraft> = {}): RequestDraft {
  return { kind: 'approval', prompt: 'approve pay({})', data: { tool: 'pay', input: {} }, ...draft };
}

/** A sub-agent's run, halted on these calls. */
async function child(
  turn: PortTurn,
  outcome?: ConstructorParameters<typeof ScriptedPort>[1],
): Promise<Scene> {
  const parent = { runId: 'run-1', workflowId: 'run-1', callId: 'c', path: ['desk'] };
  const below = scene(new ScriptedPort([turn, DONE], outcome), { runId: CHILD, agent: 'clerk', parent });
  expect(await below.go()).toBe('halted');
  return below;
}

/** A run one call of which that sub-agent works on. */
function caller(...children: readonly string[]): RunState {
  const run = newRun({ runId: 'run-1', agent: 'desk', seed: 'seed', from: 0, now: 0 });
  run.turn = 1;
  run.calls = [CHILD, ...children].map((childId, index): CallState => {
    const phase = { ...DELEGATED, childId };
    return {
      index,
      id: `c${index}`,
      name: 'clerk',
      route: { to: 'agent', agent: 'clerk' },
      phase,
      hold: 0,
      requests: 0,
    };
  });
  return run;
}

const isHalted = ({ calls: [call] }: RunState) => call?.phase.is === 'delegated' && call.phase.halted;
const accept = (run: RunState, answer: unknown) => {
  const accepted = acceptAnswer(run, answer, { now: 0, via: 'update' });
  if (!accepted.ok) throw accepted.error;
  return accepted.receipt;
};
/** Hands what the run has accepted to the sub-agent. */
const forward = (run: RunState, below: Scene) => {
  for (const told of run.forwards?.splice(0) ?? [])
    if ('answer' in told) receiveAnswer(below.run, told.answer, { now: 0, via: 'signal', forwarded: true });
    else revokeGrants(below.run, told.revoke, 0);
};

describe('a report that crossed an answer', () => {
  it('does not make the run halt: the sub-agent is about to go on', async () => {
    const below = await child({ calls: [{ id: 'a', name: 'pay', route: tool({ holds: [hold()] }) }] });
    const run = caller();
    const [open] = takeReport(run, reportOf(below.run, 1, true), 0);
    expect(isHalted(run)).toBe(true);
    accept(run, approve(open?.request.id ?? ''));
    takeReport(run, reportOf(below.run, 2, true), 0);
    expect(isHalted(run)).toBe(false);
    expect(run.requests).toEqual([]);
  });

  it('nor where only a part of a relay request was answered; the rest stays open', async () => {
    const below = await child({ calls: ['a', 'b'].map((id) => ({ id, name: 'stock', route: RELAY })) });
    const run = caller();
    const [open] = takeReport(run, reportOf(below.run, 1, true), 0);
    const id = open?.request.id ?? '';
    accept(run, relayAnswer(id, [{ id: 'b', output: '2' }]));
    takeReport(run, reportOf(below.run, 2, true), 0);
    expect(isHalted(run)).toBe(false);
    forward(run, below);
    takeReport(run, reportOf(below.run, 3, true), 0);
    expect(isHalted(run)).toBe(true);
    expect(accept(run, relayAnswer(id, [{ id: 'a', output: '1' }]))).toMatchObject({ resolved: true });
  });
});

describe('what surfaces', () => {
  it('has an id that no other request of the run has, however tools name theirs', async () => {
    const suspend = (id: string) =>
      child({ calls: [{ id: 'a', name: 'ask', route: tool() }] }, () => ({
        is: 'suspended',
        request: { id, kind: 'question', prompt: 'Well?' },
      }));
    const run = caller('run-1/agent-1-1', 'run-1/agent-1-2');
    const long = 'x'.repeat(512);
    for (const [n, id] of [long, `${long.slice(0, 480)}_1_1`, long].entries()) {
      const report = reportOf((await suspend(id)).run, 1, true);
      takeReport(run, { ...report, childId: `run-1/agent-1-${n}` }, 0);
    }
    const ids = run.requests.map(({ request }) => request.id);
    expect(new Set(ids).size).toBe(3);
    expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(512);
  });

  it('is as large as the question, not as large as all that the sub-agent keeps with it', async () => {
    const input = { text: 'x'.repeat(300_000) };
    const data = { tool: 'pay', input, arguments: JSON.stringify(input) };
    const below = await child({
      calls: [{ id: 'a', name: 'pay', route: tool({ input, holds: [hold({ data })] }) }],
    });
    const run = caller();
    expect(takeReport(run, reportOf(below.run, 1, true), 0)).toHaveLength(1);
    expect(run.forwards).toBeUndefined();
  });

  it('is reported within what one message takes, whatever the schemas of its calls', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(30_000) };
    const calls = Array.from({ length: 100 }, (_, n) => ({
      id: `c${n}`,
      name: 'pay',
      route: tool({ holds: [hold()], inputSchema }),
    }));
    const report = reportOf((await child({ calls })).run, 1, true);
    expect(report.requests).toHaveLength(100);
    expect(JSON.stringify(report).length).toBeLessThan(500_000);
  });

  it('asks about an edit once: approved unedited, it goes down as it is', async () => {
    const again = hold({ prompt: 'approve pay({"n":2})' });
    const below = await child(
      { calls: [{ id: 'a', name: 'pay', route: tool({ holds: [hold()] }) }] },
      ({ call }) =>
        call.recheck
          ? { is: 'asks', request: again }
          : { is: 'result', result: { output: 'paid', isError: false } },
    );
    const run = caller();
    const [first] = takeReport(run, reportOf(below.run, 1, true), 0);
    accept(run, approve(first?.request.id ?? '', { input: { n: 2 } }));
    forward(run, below);
    expect(await below.go()).toBe('halted');
    const [second] = takeReport(run, reportOf(below.run, 2, true), 0);
    accept(run, approve(second?.request.id ?? ''));
    expect(JSON.stringify(run.forwards)).not.toContain('"data"');
    forward(run, below);
    expect(await below.go()).toBe('ended');
    expect(below.port.executions).toHaveLength(2);
  });
});

test('after its first report a sub-agent tells what has changed alone, and its caller halts when both agree', async () => {
  const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'pay', route: tool({ holds: [hold()] }) }));
  const below = await child({ calls });
  const run = caller();
  const [first, second] = takeReport(run, reportOf(below.run, 1, true), 0).map(({ request }) => request.id);
  const told = () => new Set(below.run.requests.map(({ request }) => request.id));
  const report = (seq: number, before: ReadonlySet<string>) => {
    const change = reportOf(below.run, seq, true, before);
    expect(takeReport(run, JSON.parse(JSON.stringify(change)), 0)).toEqual([]);
    return change;
  };
  let before = told();
  accept(run, approve(first ?? ''));
  forward(run, below);
  expect(await below.go()).toBe('halted');
  expect(report(2, before)).toMatchObject({ requests: [], gone: [first], waiting: 2 });
  expect([isHalted(run), run.requests.length]).toEqual([true, 2]);

  before = told();
  accept(run, approve(second ?? ''));
  expect(report(3, before)).toMatchObject({ requests: [], gone: [], waiting: 2 });
  expect([isHalted(run), run.requests.length]).toEqual([false, 1]);
  forward(run, below);
  expect(await below.go()).toBe('halted');
  report(4, before);
  expect([isHalted(run), run.requests.length]).toEqual([true, 1]);
});

test('an approval of all calls is given, seen and taken back through every level, and holds at the lowest alone', async () => {
  const bottom = await child({ calls: [{ id: 'a', name: 'pay', route: tool({ holds: [hold()] }) }] });
  const middle = caller();
  Object.assign(middle, { agent: 'manager', runId: 'run-0/agent-1-0', parent: { path: [] } });
  const top = caller();
  top.calls = top.calls.map((call) => ({ ...call, phase: { ...DELEGATED, childId: middle.runId } }));
  takeReport(middle, reportOf(bottom.run, 1, true), 0);
  const [open] = takeReport(top, reportOf(middle, 1, true), 0);
  accept(top, approve(open?.request.id ?? '', { by: 'ann', allCalls: true }));
  const down = (told: Forward[]) =>
    told.forEach((one) =>
      'answer' in one
        ? receiveAnswer(middle, one.answer, { now: 0, via: 'signal', forwarded: true })
        : revokeGrants(middle, one.revoke, 0),
    );
  down(top.forwards?.splice(0) ?? []);
  forward(middle, bottom);
  const standing = (run: RunState) => run.grants?.filter((grant) => isStanding(run, grant)) ?? [];
  expect(standing(top)).toMatchObject([{ tool: 'pay', by: 'ann', path: ['manager', 'clerk'] }]);
  expect([standing(middle).length, standing(bottom.run).length]).toEqual([1, 1]);

  expect(revokeGrants(top, { tool: 'pay', by: 'bob' }, 0)).toBe(true);
  down(top.forwards?.splice(0) ?? []);
  forward(middle, bottom);
  expect([top, middle, bottom.run].flatMap(standing)).toEqual([]);
  expect(bottom.run.grants).toMatchObject([{ by: 'ann', revokedBy: 'bob' }]);
});

test('an approval for a sub-agent lets no call of the run itself pass, and ends with the sub-agent', async () => {
  const below = await child({ calls: [{ id: 'a', name: 'pay', route: tool({ holds: [hold()] }) }] });
  const at = scene(new ScriptedPort([{ calls: [{ name: 'pay', route: tool({ holds: [hold()] }) }] }, DONE]));
  await at.go();
  at.run.calls.push(...caller().calls.map((call) => ({ ...call, index: 1 })));
  const [open] = takeReport(at.run, reportOf(below.run, 1, true), 0);
  accept(at.run, approve(open?.request.id ?? '', { by: 'ann', allCalls: true }));
  applyGrants(at.run, 0);
  expect(at.run.requests).toMatchObject([{ calls: [0] }]);
  const isInForce = () => at.run.grants?.map((grant) => isStanding(at.run, grant));
  expect(isInForce()).toEqual([true]);
  at.run.calls.pop();
  expect(isInForce()).toEqual([false]);
});

describe('an answer that the run accepted and the sub-agent cannot take', () => {
  it('is an error for the model below: nobody waits for ever', async () => {
    const inputSchema = { type: 'object', required: ['order'] };
    const below = await child({
      calls: [{ id: 'a', name: 'pay', route: tool({ holds: [hold()], inputSchema }) }],
    });
    const run = caller();
    // The schema had no room in the report.
    const report: unknown = JSON.parse(
      JSON.stringify(reportOf(below.run, 1, true)).replace(/,"inputSchema":.*?\]\}/, ''),
    );
    const [open] = takeReport(run, report, 0);
    accept(run, approve(open?.request.id ?? '', { by: 'ann', input: { n: 1 } }));
    forward(run, below);
    expect(await below.go()).toBe('ended');
    expect(below.port.executions).toHaveLength(0);
    expect(below.results()[0]).toMatch(/edited arguments do not fit the input schema of pay/);
    expect(below.run.rejections).toHaveLength(1);
    expect(below.run.receipts).toMatchObject([{ receipt: { ok: false, by: 'ann' } }]);
  });
});

describe('a report that somebody made up', () => {
  const request = { id: 'x', kind: 'approval', prompt: 'Pay?', path: ['clerk'] };
  const call = { id: 'a', name: 'pay', to: 'tool' };
  const good = {
    childId: CHILD,
    seq: 1,
    halted: true,
    requests: [{ request, purpose: 'hold', calls: [call] }],
  };
  const withRequest = (more: object) => ({
    ...good,
    requests: [{ request: { ...request, ...more }, purpose: 'hold', calls: [call] }],
  });
  const withCall = (more: object) => ({
    ...good,
    requests: [{ request, purpose: 'hold', calls: [{ ...call, ...more }] }],
  });

  it.each([
    ['a request without a usable id', withRequest({ id: 'x'.repeat(513) })],
    ['a call without a name', withCall({ name: undefined })],
    ['a call that goes nowhere', withCall({ to: 'error' })],
    ['a purpose of its own', { ...good, requests: [{ request, purpose: 'fun', calls: [] }] }],
    ['no list', { ...good, requests: { length: 1 } }],
    ['half of what a change says', { ...good, gone: [] }],
  ])('changes nothing where it has %s', (_what, report) => {
    const run = caller();
    const before = JSON.stringify(run);
    expect(takeReport(run, report, 0)).toEqual([]);
    expect(JSON.stringify(run)).toBe(before);
  });

  it.each([
    ['votes that are none', withRequest({ policy: { quorum: 2, votes: 'ann', escalatedAt: 5 } })],
    ['a schema that is none', withCall({ inputSchema: 'x', outputSchema: 7 })],
    ['a schema that refers to itself', withCall({ inputSchema: { $ref: '#' } })],
    ['a phase and an edit', withCall({ phase: 7, edited: 'x', route: { to: 'relay', holds: 3 } })],
    ['a path that is none', withRequest({ path: { 0: 'x' } })],
  ])('ends no run by %s: what it opens can be answered and declined', (_what, report) => {
    for (const ok of [true, false]) {
      const run = caller();
      const [open] = takeReport(run, report, 0);
      for (const by of ['ann', 'bob', 'cy']) {
        const data = by === 'ann' ? { input: { a: 1 } } : { digest: inputDigest({ a: 1 }) };
        const answer = { id: open?.request.id, ok, by, ...(ok && { data }) };
        acceptAnswer(run, answer, { now: 0, via: 'update' });
      }
      expect(run.requests).toEqual([]);
    }
  });
});

test('only a sub-agent’s run takes an answer as judged above: elsewhere those who may answer decide', async () => {
  const policy = { approvers: ['ann'], quorum: 2 };
  const calls = [{ id: 'a', name: 'pay', route: tool({ holds: [hold({ policy })] }) }];
  const at = scene(new ScriptedPort([{ calls }, DONE]));
  await at.go();
  const answer = { id: at.run.requests[0]?.request.id, ok: true, by: 'mallory' };
  receiveAnswer(at.run, answer, { now: 0, via: 'signal', forwarded: true });
  expect(at.run.requests).toHaveLength(1);
  expect(at.run.rejections).toMatchObject([{ error: { type: 'Holdpoint.Answer.NotApprover' } }]);
});
