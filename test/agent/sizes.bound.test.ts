import { MAX_ANSWER_BYTES } from '../../src/agent/answer';
import { acceptAnswer } from '../../src/agent/intake';
import { jsonSize } from '../../src/agent/json';
import { MAX_OPEN_BYTES } from '../../src/agent/open-request';
import { relayCallsOf } from '../../src/agent/relay';
import type { ToolOutcome } from '../../src/agent/run-state';
import { okResult } from '../../src/agent/tool';
import { toTranscriptRef } from '../../src/workflows/references';
import { answer, deferred, requestIds, tool } from './scenes';
import { RELAY, relayScene, scene, ScriptedPort, TOOL } from './scripted-port';

const HALF = 'x'.repeat(MAX_OPEN_BYTES / 2 - 1000);
const APPROVAL = { kind: 'approval', prompt: 'Pay?', data: { input: {}, digest: '' } };

describe('R30: nothing that comes in is kept without a bound', () => {
  it.each([
    ['reason', 4096],
    ['by', 512],
  ])('a %s of more than %d characters is refused', async (field, length) => {
    const at = await relayScene('a');
    const take = (text: string) =>
      acceptAnswer(at.run, { id: at.requestId, ok: false, [field]: text }, { now: 0, via: 'call' });
    expect(take('x'.repeat(length + 1))).toMatchObject({ error: { type: 'Holdpoint.Answer.Malformed' } });
    expect(take('x'.repeat(length))).toMatchObject({ ok: true });
  });

  it('R19: an endless call id is replaced', async () => {
    const calls = [{ id: 'i'.repeat(1000), name: 'a', route: RELAY }];
    const at = scene(new ScriptedPort([{ calls }]));
    await at.go();
    expect(at.run.calls[0]?.id).toBe('call_1_0');
  });

  it('R16: of a thousand calls in one message 256 are carried out, and each has a result', async () => {
    const calls = Array.from({ length: 1000 }, (_, n) => ({ id: `c${n}`, name: 'look', route: TOOL }));
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }]));
    await at.go();
    expect(at.port.executions).toHaveLength(256);
    expect(at.results()).toHaveLength(1000);
    expect(at.results()[256]).toBe('not run: look (more than 256 calls at once)');
  });
});

describe('R26: open requests are bounded together', () => {
  it('a call whose question has no room gets an error result; the others wait', async () => {
    const outcome: ToolOutcome = {
      is: 'suspended',
      request: { kind: 'question', prompt: '?', data: { page: HALF } },
    };
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: id, route: TOOL }));
    const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], () => outcome));
    await at.go();
    expect(at.run.requests).toHaveLength(2);
    at.port.callTool = async () => ({ is: 'result', result: okResult('ok') });
    for (const id of requestIds(at)) answer(at, { id, ok: true });
    await at.go();
    expect(at.results()).toEqual([
      'ok',
      'ok',
      expect.stringMatching(/^not asked: the request of c is too large/),
    ]);
  });

  it('R20: a relayed call that is too large does not cost the others their request', async () => {
    const calls = ['a', 'b', 'c'].map((id) => ({
      id,
      name: id,
      route: RELAY,
      // Given to the host as text and as an object.
      arguments: JSON.stringify({ text: id === 'b' ? `${HALF}${HALF}` : id }),
    }));
    const at = scene(new ScriptedPort([{ calls }]));
    await at.go();
    expect(relayCallsOf(at.run.requests[0]?.request).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(at.run.calls[1]?.phase).toMatchObject({ is: 'settled', result: { isError: true } });
  });

  it('R24: edits are bounded together', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: id, route: tool({ holds: [APPROVAL] }) }));
    const { tool: run } = deferred();
    const at = scene(new ScriptedPort([{ calls }], ({ call }) => run(call.name)));
    await at.go();
    const edit = (id: string | undefined) => ({
      id,
      ok: true,
      data: { input: { text: 'x'.repeat(200_000) } },
    });
    const [first, second] = requestIds(at);
    answer(at, edit(first));
    expect(() => answer(at, edit(second))).toThrow(
      /at most 262144 are taken for all calls of a message, of which 2000\d\d are used/,
    );
  });
});

describe('What is sent to a worker is bounded', () => {
  it('R26: executions that take large answers along wait for each other', async () => {
    const { tool: run, finish, started } = deferred();
    const names = ['a', 'b', 'c', 'd'];
    const calls = names.map((id) => ({ id, name: id, route: TOOL }));
    const suspend: ToolOutcome = { is: 'suspended', request: { kind: 'question', prompt: '?' } };
    const at = scene(
      new ScriptedPort([{ calls }, { content: 'ok' }], ({ call, answer: given }) =>
        given ? run(call.name) : suspend,
      ),
    );
    await at.go();
    const text = 'x'.repeat(MAX_ANSWER_BYTES - 1000);
    for (const [n, id] of requestIds(at).entries())
      answer(at, { id, ok: true, ...(names[n] !== 'c' && { data: { text } }) });
    const done = at.go();
    await finish('none');
    expect(started).toEqual(['a']);
    for (const name of names) await finish(name);
    expect(await done).toBe('ended');
    expect(at.results()).toEqual(names.map((name) => `${name} out`));
  });

  it('a tail of thousands of small messages goes by reference', () => {
    const entries = Array.from({ length: 5000 }, (_, n) => ({
      message: { role: 'user' as const, content: `${n}`.padEnd(400, '.') },
    }));
    const { tail } = toTranscriptRef({ entries });
    expect(jsonSize(tail)).toBeLessThan(600_000);
    expect(tail.at(-1)).toEqual({ q: 1 });
  });
});
