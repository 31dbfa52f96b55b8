import { canProceed } from '../../src/agent/call-steps';
import { acceptAnswer } from '../../src/agent/intake';
import { answerOutput, relayCallsOf } from '../../src/agent/relay';
import type { Route, ToolRoute } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { errorResult, okResult } from '../../src/agent/tool';
import { RELAY, scene, ScriptedPort, TOOL, type Scene } from './scripted-port';

function tool(options: Partial<ToolRoute> = {}): Route {
  return { to: 'tool', timeoutMs: 0, ...options };
}

function answer({ run, port }: Scene, raw: unknown): void {
  const acceptance = acceptAnswer(run, raw, { now: port.now(), via: 'call' });
  if (!acceptance.ok) throw acceptance.error;
  port.notify();
}

function requestIds({ run }: Scene): string[] {
  return run.requests.map((open) => open.request.id);
}

/** An outcome for each call name that the test decides on, in any order. */
function deferred(): {
  tool: (name: string) => Promise<ToolOutcome>;
  finish: (name: string) => Promise<void>;
  started: string[];
} {
  const resolvers = new Map<string, (outcome: ToolOutcome) => void>();
  const started: string[] = [];
  return {
    started,
    tool: (name) =>
      new Promise((resolve) => {
        started.push(name);
        resolvers.set(name, resolve);
      }),
    finish: async (name) => {
      resolvers.get(name)?.({ is: 'result', result: okResult(`${name} out`) });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

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
    expect(at.port.executions.map(({ call: _call, ...rest }) => rest.mode)).toEqual(['run', 'run']);
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

describe('R33: a call whose outcome is unknown', () => {
  it.each<[string, Partial<ToolRoute>, 1 | 3, 'reconcile' | 'reported']>([
    ['says nothing about itself', {}, 1, 'reported'],
    ['is read-only or idempotent', { repeatable: true }, 3, 'reported'],
    ['is destructive', { destructive: true }, 1, 'reconcile'],
    ['was approved', { holds: [{ kind: 'approval', prompt: 'Go?' }] }, 1, 'reconcile'],
    ['is destructive but says report', { destructive: true, onUnknownOutcome: 'report' }, 1, 'reported'],
    ['says ask', { onUnknownOutcome: 'ask' }, 1, 'reconcile'],
    ['is destructive but says retry', { destructive: true, onUnknownOutcome: 'retry' }, 3, 'reported'],
  ])('of a tool that %s', async (_what, options, attempts, then) => {
    const at = scene(
      new ScriptedPort(
        [{ calls: [{ id: 'a', name: 'pay', route: tool(options) }] }, { content: 'ok' }],
        () => ({ is: 'unknown', why: 'its worker died' }),
      ),
    );
    await at.go();
    if (options.holds) {
      answer(at, { id: requestIds(at)[0], ok: true });
      await at.go();
    }
    expect(at.port.executions.map((execution) => execution.attempts)).toEqual([attempts]);
    if (then === 'reconcile') expect(at.run.requests[0]?.request.kind).toBe('reconcile');
    else expect(at.results()[0]).toMatch(/^outcome unknown: pay may or may not have run \(its worker died\)/);
  });

  it('R28: a reconcile takes the result, a rerun, or a decline; anything else is refused', async () => {
    const make = async () => {
      const outcomes: ToolOutcome[] = [{ is: 'unknown', why: 'w' }];
      const at = scene(
        new ScriptedPort(
          [{ calls: [{ id: 'a', name: 'pay', route: tool({ destructive: true }) }] }, { content: 'ok' }],
          () => outcomes.shift() ?? { is: 'result', result: okResult('again') },
        ),
      );
      await at.go();
      return at;
    };
    const given = await make();
    expect(() => answer(given, { id: requestIds(given)[0], ok: true })).toThrow('needs `data.output`');
    answer(given, { id: requestIds(given)[0], ok: true, data: { output: 'it was paid', isError: false } });
    await given.go();
    expect(given.results()).toEqual(['it was paid']);

    const rerun = await make();
    answer(rerun, { id: requestIds(rerun)[0], ok: true, data: { rerun: true } });
    await rerun.go();
    expect(rerun.results()).toEqual(['again']);

    const declined = await make();
    answer(declined, { id: requestIds(declined)[0], ok: false });
    await declined.go();
    expect(declined.results()[0]).toMatch(/^outcome unknown: pay/);
  });
});

describe('R16, R34: a stop', () => {
  it('leaves exactly one result per call: ended ones keep theirs, waiting ones say so', async () => {
    const { tool: run, finish } = deferred();
    const calls = [
      { id: 'a', name: 'a', route: TOOL },
      { id: 'r', name: 'browser', route: RELAY },
      { id: 'x', name: 'x', route: tool({ exclusive: true }) },
    ];
    const at = scene(new ScriptedPort([{ calls }], ({ call }) => run(call.name)));
    const done = at.go();
    await finish('none');
    at.run.stop = { for: 'cancel' };
    at.port.notify();
    await finish('a');
    expect(await done).toBe('ended');
    expect(at.run.status).toBe('cancelled');
    expect(at.results()).toEqual([
      'a out',
      'declined/expired: relay tool call browser to the caller for execution',
      'not run: x (cancelled)',
    ]);
    expect(at.run.requests).toEqual([]);
  });

  it('of a call that was aborted in the middle says that its outcome is unknown', async () => {
    const at = scene(
      new ScriptedPort([{ calls: [{ id: 'a', name: 'pay', route: TOOL }] }], () => ({
        is: 'cancelled',
        ran: true,
      })),
    );
    at.port.callTool = async () => {
      at.run.stop = { for: 'cancel' };
      return { is: 'cancelled', ran: true };
    };
    await at.go();
    expect(at.results()[0]).toMatch(/^outcome unknown: pay/);
  });

  it('R16: a transcript that is out of balance fails the run loudly before the model sees it', async () => {
    const at = scene(new ScriptedPort([{ content: 'ok' }]));
    at.transcript.entries.push({
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
      },
    });
    await at.go();
    expect(at.run).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.Unbalanced' } });
    expect(at.port.modelCalls).toBe(0);
  });
});

describe('R32: a host in the worker', () => {
  it('is asked once for each call, one request each, and its answers are the results', async () => {
    const asked: string[] = [];
    const calls = ['a', 'b'].map((id) => ({ id, name: id, route: RELAY }));
    const at = scene(
      new ScriptedPort([{ calls }, { content: 'ok' }], undefined, (request) => {
        asked.push(
          relayCallsOf(request)
            .map((call) => call.id)
            .join(),
        );
        return { is: 'answer', answer: answerOutput(request.id, `${request.prompt.length}`) };
      }),
    );
    expect(await at.go()).toBe('ended');
    expect(asked).toEqual(['a', 'b']);
    expect(at.run.receipts.map(({ receipt }) => receipt.via)).toEqual(['waitFor', 'waitFor']);
  });

  it.each<[string, () => never | { is: 'answer'; answer: unknown }]>([
    [
      'throws',
      () => {
        throw new Error('no console');
      },
    ],
    ['gives a malformed answer', () => ({ is: 'answer', answer: { ok: 'yes' } })],
    ['answers another request', () => ({ is: 'answer', answer: { id: 'nobody', ok: true } })],
  ])('that %s fails the run, with a balanced transcript', async (_what, host) => {
    const at = scene(new ScriptedPort([{ calls: [{ id: 'a', name: 'a', route: RELAY }] }], undefined, host));
    expect(await at.go()).toBe('ended');
    expect(at.run).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.WaitForFailed' } });
    expect(at.results()).toHaveLength(1);
  });

  it('that gives nothing in its time leaves the request, and the run halts', async () => {
    const at = scene(
      new ScriptedPort(
        [{ calls: [{ id: 'a', name: 'a', route: RELAY }] }, { content: 'ok' }],
        undefined,
        () => ({ is: 'none' }),
      ),
    );
    expect(await at.go()).toBe('halted');
    answer(at, answerOutput(requestIds(at)[0] ?? '', 'later'));
    expect(await at.go()).toBe('ended');
  });
});

describe('R43: events', () => {
  it('a suspended call is pending and no error; its result comes as a second event', async () => {
    const outcomes: ToolOutcome[] = [
      { is: 'suspended', request: { kind: 'question', prompt: '?' } },
      { is: 'result', result: errorResult('no') },
    ];
    const at = scene(
      new ScriptedPort(
        [{ calls: [{ id: 'a', name: 'ask', route: TOOL }] }, { content: 'ok' }],
        () => outcomes.shift() ?? { is: 'unknown', why: '' },
      ),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true });
    await at.go();
    const tools = at.port.events.filter((event) => event.type === 'tool');
    expect(tools).toMatchObject([
      { pending: true, isError: false },
      { pending: false, isError: true },
    ]);
  });
});
