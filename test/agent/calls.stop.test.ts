import type { Answer } from '../../src/agent/answer';
import { receiveMessage } from '../../src/agent/intake';
import { answerOutput, relayCallsOf } from '../../src/agent/relay';
import type { Request } from '../../src/agent/request';
import type { ToolRoute } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { errorResult, okResult } from '../../src/agent/tool';
import { matching } from '../support/matchers';
import { answer, deferred, requestIds, tool } from './scenes';
import { RELAY, scene, ScriptedPort, TOOL } from './scripted-port';

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

  it('R41: does not lose what waits to be said: it joins the transcript, after the results', async () => {
    const calls = [{ id: 'a', name: 'a', route: RELAY }];
    const at = scene(new ScriptedPort([{ calls }]));
    await at.go();
    expect(receiveMessage(at.run, 'And order 1052?')).toBeUndefined();
    at.run.stop = { for: 'cancel' };
    await at.go();
    expect(at.transcript.entries.map(({ message }) => message.role)).toEqual([
      ...['user', 'assistant', 'tool', 'user'],
    ]);
    expect(at.run.inbox).toEqual([]);
  });

  it('R41: nor does a run that fails lose it', async () => {
    const at = scene(new ScriptedPort([]));
    at.port.callModel = async () => {
      receiveMessage(at.run, 'Are you there?');
      throw new Error('no model');
    };
    await at.go();
    expect(at.run.status).toBe('failed');
    expect(at.transcript.entries.at(-1)?.message.content).toBe('Are you there?');
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

  it('R29: that repeats the id of an answer to an earlier ask, with other content, fails the run', async () => {
    const answerOf = (id: string): Answer => ({ ...answerOutput(id, '1'), answerId: 'mine' });
    const earlier = scene(new ScriptedPort([{ calls: [{ id: 'a', name: 'a', route: RELAY }] }, {}]));
    await earlier.go();
    answer(earlier, answerOf(requestIds(earlier)[0] ?? ''));
    const calls = [{ id: 'a', name: 'a', route: RELAY }];
    const host = (request: Request) => ({ is: 'answer' as const, answer: answerOf(request.id) });
    const at = scene(new ScriptedPort([{ calls }, {}], undefined, host), { seed: 'later' });
    at.port.earlier = earlier.run.receipts;
    await at.go();
    expect(at.run.error).toMatchObject({ message: matching(/"mine" was accepted with other content/) });
  });

  it('that answers another open request fails the run: that one has its own host', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: id, route: RELAY }));
    const asked: string[] = [];
    const host = (request: Request) => {
      asked.push(request.id);
      return { is: 'answer' as const, answer: answerOutput(asked[0] ?? '', 'mine') };
    };
    const at = scene(new ScriptedPort([{ calls }, {}], undefined, host));
    await at.go();
    expect(at.run).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.WaitForFailed' } });
    expect(at.run.error?.message).toContain(`asked about request "${asked[1]}"`);
    expect(at.results()).toEqual(['mine', 'declined/expired: relay tool call b to the caller for execution']);
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
