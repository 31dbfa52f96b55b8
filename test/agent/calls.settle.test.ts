import { canProceed } from '../../src/agent/call-steps';
import { answerOutput, relayCallsOf } from '../../src/agent/relay';
import type { Route, ToolRoute } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { okResult } from '../../src/agent/tool';
import { answer, deferred, requestIds, tool } from './scenes';
import { RELAY, scene, ScriptedPort, TOOL } from './scripted-port';

describe('R14: the calls of one message', () => {
  it('run at the same time, and their results stand in call order whatever order they finish in', async () => {
    const { tool: run, finish, started } = deferred();
    const calls = ['a', 'b', 'c'].map((name) => ({ id: name, name, route: TOOL }));
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], ({ call }) => run(call.name)));
    const done = at.go();
    await finish('none');
    expect(started).toEqual(['a', 'b', 'c']);
    await finish('c');
    await finish('a');
    await finish('b');
    expect(await done).toBe('ended');
    expect(at.results()).toEqual(['a out', 'b out', 'c out']);
  });

  it('an exclusive call runs alone, and later calls do not overtake it', async () => {
    const { tool: run, finish, started } = deferred();
    const calls = [
      { id: 'a', name: 'a', route: tool() },
      { id: 'x', name: 'x', route: tool({ exclusive: true }) },
      { id: 'b', name: 'b', route: tool() },
    ];
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], ({ call }) => run(call.name)));
    const done = at.go();
    await finish('none');
    expect(started).toEqual(['a']);
    await finish('a');
    expect(started).toEqual(['a', 'x']);
    await finish('x');
    expect(started).toEqual(['a', 'x', 'b']);
    await finish('b');
    await done;
    expect(at.results()).toEqual(['a out', 'x out', 'b out']);
  });
});

describe('R15, R26: ordinary calls beside a suspending one', () => {
  it('the request opens at once, can be answered while others run, and they keep their results', async () => {
    const { tool: run, finish } = deferred();
    const calls = [
      { id: 'r', name: 'browser', route: RELAY },
      { id: 'a', name: 'a', route: TOOL },
    ];
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], ({ call }) => run(call.name)));
    const done = at.go();
    await finish('none');
    expect(at.run.status).toBe('running');
    expect(at.run.requests).toHaveLength(1);
    answer(at, answerOutput(requestIds(at)[0] ?? '', 'clicked'));
    await finish('a');
    expect(await done).toBe('ended');
    expect(at.results()).toEqual(['clicked', 'a out']);
  });

  it('the run becomes pending only when the other calls have ended', async () => {
    const { tool: run, finish } = deferred();
    const calls = [
      { id: 'r', name: 'browser', route: RELAY },
      { id: 'a', name: 'a', route: TOOL },
    ];
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], ({ call }) => run(call.name)));
    const done = at.go();
    await finish('none');
    expect(at.run.status).toBe('running');
    await finish('a');
    expect(await done).toBe('halted');
    expect(at.run.status).toBe('pending');
  });
});

describe('R20: relay calls and approvals in one message', () => {
  const hold = { kind: 'approval', prompt: 'ok?' };

  it('the relay request opens when the last approval is decided, with those that were approved', async () => {
    const calls = [
      { id: 'a', name: 'click', route: RELAY },
      { id: 'b', name: 'buy', route: { ...RELAY, holds: [hold] } as Route },
      { id: 'c', name: 'sell', route: { ...RELAY, holds: [hold] } as Route },
    ];
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }]));
    await at.go();
    const [first = '', second = ''] = requestIds(at);
    expect(at.run.requests.map((open) => open.request.kind)).toEqual(['approval', 'approval']);
    answer(at, { id: second, ok: true });
    expect(canProceed(at.run)).toBe(true);
    await at.go();
    expect(requestIds(at)).toEqual([first]);
    // The approved calls wait for the last approval: a driver that went on by itself would never stop.
    expect(canProceed(at.run)).toBe(false);
    answer(at, { id: first, ok: false });
    await at.go();
    const relay = at.run.requests[0]?.request;
    expect(relayCallsOf(relay).map((call) => call.id)).toEqual(['a', 'c']);
    expect(relay?.prompt).toBe('relay tool call click to the caller for execution');
  });

  it('it expires at the earliest of its calls expiries', async () => {
    const calls = [60_000, 1_000].map((expiresInMs, n) => ({
      id: `c${n}`,
      name: 'x',
      route: { ...RELAY, expiresInMs } as Route,
    }));
    const at = scene(new ScriptedPort([{ calls }]));
    await at.go();
    expect(at.run.requests[0]?.request.expiresAt).toBe('2026-01-01T00:00:01.000Z');
  });
});

describe('R28: holds, suspensions and edits', () => {
  const approval = { kind: 'approval', prompt: 'Pay?' };
  const held = (options: Partial<ToolRoute> = {}) => tool({ holds: [approval], ...options });

  it('an approved call runs for the first time; a declined one never does', async () => {
    const calls = [
      { id: 'a', name: 'pay', route: held() },
      { id: 'b', name: 'pay', route: held() },
    ];
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }]));
    await at.go();
    const [first = '', second = ''] = requestIds(at);
    expect(at.port.executions).toHaveLength(0);
    answer(at, { id: second, ok: false, reason: 'too much' });
    answer(at, { id: first, ok: true });
    await at.go();
    expect(at.port.executions.map(({ call }) => call.id)).toEqual(['a']);
    expect(at.results()).toEqual(['pay done', 'declined/expired: Pay?\nreason: too much']);
  });

  it('with an output on the approval that is the result and the tool does not run', async () => {
    const at = scene(
      new ScriptedPort([{ calls: [{ id: 'a', name: 'pay', route: held() }] }, { content: 'ok' }]),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { output: 'paid by hand' } });
    await at.go();
    expect(at.results()).toEqual(['paid by hand']);
    expect(at.port.executions).toHaveLength(0);
  });

  it.each([{ results: [{ id: 'a', output: 'no!' }] }, { args: { sum: 5 } }])(
    'an approval whose data says something else is refused: %j',
    async (data) => {
      const at = scene(
        new ScriptedPort([{ calls: [{ id: 'a', name: 'pay', route: held() }] }, { content: 'ok' }]),
      );
      await at.go();
      expect(() => answer(at, { id: requestIds(at)[0], ok: true, data })).toThrow('what this request takes');
      expect(at.run.requests).toHaveLength(1);
    },
  );

  it('edited arguments run, and the transcript tells the model so', async () => {
    const at = scene(
      new ScriptedPort([
        { calls: [{ id: 'a', name: 'pay', arguments: '{"sum":9}', route: held() }] },
        { content: 'ok' },
      ]),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { input: { sum: 5 } } });
    await at.go();
    expect(at.port.executions[0]?.call.edited).toEqual({ sum: 5 });
    expect(at.results()).toEqual(['The approver changed the arguments to {"sum":5}.\npay done']);
    expect(at.run.marks[0]?.input).toEqual({ sum: 5 });
  });

  it('edited arguments that need approval open one new request; approved unedited, they run', async () => {
    const outcomes: ToolOutcome[] = [
      { is: 'asks', request: approval },
      { is: 'result', result: okResult('paid') },
    ];
    const at = scene(
      new ScriptedPort(
        [{ calls: [{ id: 'a', name: 'pay', route: held() }] }, { content: 'ok' }],
        () => outcomes.shift() ?? { is: 'unknown', why: '' },
      ),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { input: { sum: 5 } } });
    expect(await at.go()).toBe('halted');
    answer(at, { id: requestIds(at)[0], ok: true });
    expect(await at.go()).toBe('ended');
    expect(at.port.executions.map(({ mode }) => mode)).toEqual(['run', 'run']);
    expect(at.run.receipts).toHaveLength(2);
  });

  it('a suspension runs once more with its answer; suspending again is unresolved', async () => {
    const suspend = (prompt: string): ToolOutcome => ({
      is: 'suspended',
      request: { kind: 'question', prompt },
    });
    const outcomes = [suspend('Which one?'), suspend('And now?')];
    const at = scene(
      new ScriptedPort(
        [{ calls: [{ id: 'a', name: 'ask', route: TOOL }] }, { content: 'ok' }],
        () => outcomes.shift() ?? suspend('?'),
      ),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { choice: 0 } });
    expect(await at.go()).toBe('ended');
    expect(at.port.executions[1]?.answer?.data).toEqual({ choice: 0 });
    expect(at.results()).toEqual(['unresolved: Which one?']);
  });

  it('R10: a tool keeps the id it set, unless the run has used it', async () => {
    const suspend: ToolOutcome = { is: 'suspended', request: { id: 'req-1', kind: 'question', prompt: '?' } };
    const calls = ['a', 'b'].map((id) => ({ id, name: 'ask', route: TOOL }));
    const at = scene(new ScriptedPort([{ calls }], () => suspend));
    await at.go();
    expect(requestIds(at)).toEqual(['req-1', 'req_seed_1_1']);
  });
});
