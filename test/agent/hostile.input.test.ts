import { judgeAnswer } from '../../src/agent/answers';
import { acceptAnswer } from '../../src/agent/intake';
import { Meter } from '../../src/agent/meter';
import { answerOutput } from '../../src/agent/relay';
import { parseInstant } from '../../src/agent/instant';
import { outcomeOf } from '../../src/agent/run-result';
import type { Route } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { MAX_LOOKS } from '../../src/agent/schema-fit';
import { okResult } from '../../src/agent/tool';
import { answer, requestIds, tool } from './scenes';
import { RELAY, relayScene, scene, ScriptedPort, TOOL } from './scripted-port';

const approval = (input: object) => ({
  kind: 'approval',
  prompt: 'Pay?',
  data: { input: { ...input }, digest: 'old' },
});

describe('Hostile and unlucky input', () => {
  it('R30: a large output is not checked in the workflow, whose steps are timed, but by the worker', async () => {
    const route = { ...RELAY, outputSchema: { type: 'array', uniqueItems: true } } as Route;
    const at = scene(new ScriptedPort([{ calls: [{ id: 'a', name: 'list', route }] }, { content: 'ok' }]));
    await at.go();
    const output = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => n));
    answer(at, answerOutput(requestIds(at)[0] ?? '', output));
    await at.go();
    expect(at.port.executions.map(({ mode }) => mode)).toEqual(['after']);
  });

  it('R30: all checks of one step of a workflow share a meter; what it does not reach is the worker’s', async () => {
    const route = { ...RELAY, outputSchema: { type: 'array', items: { type: 'integer' } } } as Route;
    const at = scene(new ScriptedPort([{ calls: [{ id: 'a', name: 'list', route }] }, { content: 'ok' }]));
    await at.go();
    const wrong = answerOutput(requestIds(at)[0] ?? '', JSON.stringify([...Array(1000).keys(), 'x']));
    const meter = new Meter(MAX_LOOKS);
    const verdicts = Array.from({ length: 10 }, () => judgeAnswer(at.run, wrong, { now: 0, meter }).is);
    expect(verdicts.slice(0, 3)).toEqual(['refuse', 'refuse', 'refuse']);
    expect(verdicts.at(-1)).toBe('accept');
  });

  it.each([
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+23:59',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
  ])('R10: %s is no instant that a list could hold', (text) => expect(parseInstant(text)).toBeUndefined());

  it('R28: after an edit the next approver is shown what will run', async () => {
    const holds = [{ kind: 'approval', prompt: 'First?' }, approval({ euros: 5 })];
    const at = scene(new ScriptedPort([{ calls: [{ id: 'a', name: 'refund', route: tool({ holds }) }] }]));
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { input: { euros: 5000 } } });
    await at.go();
    const request = at.run.requests[0]?.request;
    expect(request).toMatchObject({
      prompt: 'approve refund({"euros":5000})',
      data: { input: { euros: 5000 }, arguments: '{"euros":5000}' },
    });
    expect(request?.data?.['digest']).not.toBe('old');
  });

  it.each(['req_seed_1_0', 'x'.repeat(600)])('R10: a tool cannot take the id %.12s…', async (id) => {
    const suspend: ToolOutcome = { is: 'suspended', request: { id, kind: 'question', prompt: '?' } };
    const calls = [
      { id: 'a', name: 'pay', route: tool({ holds: [approval({})] }) },
      { id: 'b', name: 'evil', route: TOOL },
    ];
    const at = scene(new ScriptedPort([{ calls }], () => suspend));
    await at.go();
    expect(requestIds(at)).toEqual(['req_seed_1_0', 'req_seed_1_1']);
  });

  it('R28: a rerun after a reconcile still has the answer to the tool’s own question', async () => {
    const outcomes: ToolOutcome[] = [
      { is: 'suspended', request: { kind: 'question', prompt: 'PIN?' } },
      { is: 'unknown', why: 'its worker died' },
      { is: 'result', result: okResult('paid') },
    ];
    const calls = [{ id: 'a', name: 'pay', route: tool({ destructive: true }) }];
    const at = scene(
      new ScriptedPort([{ calls }, { content: 'ok' }], () => outcomes.shift() ?? { is: 'unknown', why: '' }),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { pin: 1234 } });
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: true, data: { rerun: true } });
    await at.go();
    expect(at.port.executions.map((execution) => execution.answer?.data)).toEqual([
      undefined,
      { pin: 1234 },
      { pin: 1234 },
    ]);
    expect(at.results()).toEqual(['paid']);
  });

  it('R24: an edit too large to travel beside its result is refused', async () => {
    const at = scene(
      new ScriptedPort([{ calls: [{ id: 'a', name: 'pay', route: tool({ holds: [approval({})] }) }] }]),
    );
    await at.go();
    const edit = { id: requestIds(at)[0] ?? '', ok: true, data: { input: { note: 'x'.repeat(300_000) } } };
    const acceptance = acceptAnswer(at.run, edit, { now: 0, via: 'update' });
    expect(acceptance).toMatchObject({ ok: false, error: { type: 'Holdpoint.Answer.TooLarge' } });
  });

  it('R35: a limit shows exactly with `incomplete`', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: 'x', route: RELAY }));
    const at = scene(new ScriptedPort([{ calls }]), { limits: { maxToolCalls: 1 } });
    await at.go();
    expect(outcomeOf(at.run)).not.toHaveProperty('limit');
    answer(at, answerOutput(requestIds(at)[0] ?? '', 'x'));
    await at.go();
    expect(outcomeOf(at.run)).toMatchObject({ status: 'incomplete', limit: 'maxToolCalls' });
  });

  it('R25: a tool’s own request of kind tool_call is declined with its own prompt', async () => {
    const suspend: ToolOutcome = {
      is: 'suspended',
      request: { kind: 'tool_call', prompt: 'my prompt', data: { calls: [{ id: 'a', name: 'q' }] } },
    };
    const at = scene(
      new ScriptedPort([{ calls: [{ id: 'a', name: 'q', route: TOOL }] }, { content: 'ok' }], () => suspend),
    );
    await at.go();
    answer(at, { id: requestIds(at)[0], ok: false });
    await at.go();
    expect(at.results()).toEqual(['declined/expired: my prompt']);
  });

  it('R29: nobody can repeat what a deadline declined', async () => {
    const at = await relayScene('a');
    at.run.stop = { for: 'cancel' };
    await at.go();
    const verdict = acceptAnswer(
      at.run,
      { id: at.requestId, ok: false, reason: 'cancelled' },
      { now: 0, via: 'call' },
    );
    expect(verdict).toMatchObject({ ok: false, error: { type: 'Holdpoint.Answer.RunClosed' } });
  });
});
