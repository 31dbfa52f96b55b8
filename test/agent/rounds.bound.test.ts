import type { InputRoundDraft } from '../../src/agent/input-round';
import { acceptAnswer } from '../../src/agent/intake';
import { jsonSize } from '../../src/agent/json';
import type { ToolOutcome } from '../../src/agent/run-state';
import { okResult } from '../../src/agent/tool';
import { answer, requestIds } from './scenes';
import { scene, ScriptedPort, TOOL, type Scene } from './scripted-port';

const QUESTION = { kind: 'input', prompt: '?' };

/** A scene halted on one round of questions for each of these calls; answered, they are done. */
async function roundScene(
  rounds: Readonly<Record<string, InputRoundDraft['requests']>>,
  others: Readonly<Record<string, ToolOutcome>> = {},
): Promise<Scene> {
  const names = [...Object.keys(rounds), ...Object.keys(others)];
  const calls = names.map((name) => ({ id: name, name, route: TOOL }));
  const port = new ScriptedPort([{ calls }, { content: 'ok' }], ({ call, round, answer: own }) => {
    const requests = rounds[call.name];
    if (requests && !round) return { is: 'round', round: { requests } };
    const other = own ? undefined : others[call.name];
    return other ?? { is: 'result', result: okResult(JSON.stringify(round?.answers ?? own)) };
  });
  const at = scene(port);
  await at.go();
  return at;
}

test('R30: sixteen answers of a round, each as large as is taken, fit into what the engine carries', async () => {
  const keys = Array.from({ length: 16 }, (_, n) => [`q${n}`, QUESTION] as const);
  const at = await roundScene({ ask: Object.fromEntries(keys) });
  const content = 'x'.repeat(64 * 1024 - 20);
  for (const id of requestIds(at)) answer(at, { id, ok: true, data: { content } });
  await at.go();
  const [, second] = at.port.executions;
  expect(Object.keys(second?.round?.answers ?? {})).toHaveLength(16);
  expect(jsonSize(second?.round)).toBeLessThan(1_200_000);
});

test('R30: a larger answer to a question of a round is refused, and the question stays open', async () => {
  const at = await roundScene({ ask: { q: QUESTION } });
  const [id = ''] = requestIds(at);
  const large = { id, ok: true, data: { content: 'x'.repeat(64 * 1024) } };
  expect(acceptAnswer(at.run, large, { now: 0, via: 'call' })).toMatchObject({
    ok: false,
    error: { type: 'Holdpoint.Answer.TooLarge' },
  });
  expect(requestIds(at)).toEqual([id]);
});

test('R25: with a no nothing but its reason reaches the tool', async () => {
  const at = await roundScene({ ask: { q: QUESTION } });
  const [id = ''] = requestIds(at);
  answer(at, { id, ok: false, reason: 'no', data: { content: 'x'.repeat(500_000) } });
  await at.go();
  expect(at.port.executions[1]?.round?.answers['q']).toEqual({ id, ok: false, reason: 'no' });
});

test('rounds that are answered at once do not start more at once than one message holds', async () => {
  const keys = Array.from({ length: 14 }, (_, n) => [`q${n}`, QUESTION] as const);
  const at = await roundScene({ a: Object.fromEntries(keys), b: Object.fromEntries(keys) });
  for (const id of requestIds(at)) answer(at, { id, ok: true, data: { content: 'x'.repeat(65_000) } });
  let open = 0;
  let most = 0;
  at.port.callTool = async () => {
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return { is: 'result', result: okResult('ok') };
  };
  await at.go();
  expect(at.results()).toEqual(['ok', 'ok']);
  expect(most).toBe(1);
});

test.each(['constructor', '__proto__', 'toString'])(
  'R29: an answer to a request that its tool called %s is none to the round of another call',
  async (id) => {
    const others: Readonly<Record<string, ToolOutcome>> = {
      other: { is: 'suspended', request: { id, kind: 'question', prompt: 'Which?' } },
    };
    const at = await roundScene({ ask: { q: QUESTION } }, others);
    answer(at, { id, ok: true, data: { output: 'this' } });
    await at.go();
    expect(requestIds(at)).toHaveLength(1);
    const [asked = ''] = requestIds(at);
    answer(at, { id: asked, ok: true, data: { output: 'that' } });
    await at.go();
    expect(at.results().map((text) => text.includes('that'))).toEqual([true, false]);
    expect(at.results().map((text) => text.includes('this'))).toEqual([false, true]);
  },
);

test('R34: of a call that is stopped between two rounds nobody says that it did not run', async () => {
  const at = await roundScene({ ask: { q: QUESTION } });
  at.run.stop = { for: 'cancel' };
  await at.go();
  expect(at.results()).toEqual(['not finished: ask (cancelled), which had begun and asked for input']);
  expect(requestIds(at)).toEqual([]);
});
