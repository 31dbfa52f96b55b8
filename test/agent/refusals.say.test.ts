import { judgeAnswer } from '../../src/agent/answers';
import { relayAnswer } from '../../src/agent/relay';
import type { Json } from '../../src/agent/json';
import type { Route } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { answer, tool } from './scenes';
import { RELAY, relayScene, scene, ScriptedPort, type Scene } from './scripted-port';

const APPROVAL = { kind: 'approval', prompt: 'Pay?', data: { input: {}, digest: '' } };
const SCHEMA = { type: 'object', properties: { euros: { type: 'integer' } } };

/** What the sender of a refused answer reads. */
function refusalOf({ run, port }: Scene, given: { ok?: boolean; data?: unknown } | string): string {
  const id = run.requests[0]?.request.id;
  const raw = typeof given === 'string' ? given : { id, ok: true, ...given };
  const verdict = judgeAnswer(run, raw, { now: port.now() });
  if (verdict.is !== 'refuse') throw new Error(`Expected a refusal, got ${verdict.is}`);
  return verdict.error.message;
}

async function halted(route: Route, outcome?: ToolOutcome): Promise<Scene> {
  const at = scene(
    new ScriptedPort(
      [{ calls: [{ id: 'a', name: 'pay', route }] }, { content: 'ok' }],
      () => outcome as ToolOutcome,
    ),
  );
  await at.go();
  return at;
}

describe('R24, R30: a refusal says what was refused, why, and what to do', () => {
  it.each<[what: string, data: Json, says: RegExp]>([
    [
      'a relayed output that is no text',
      { output: { n: 1 } },
      /`data.output` to be a string, got an object\. Write the value as text with JSON\.stringify\./,
    ],
    [
      'a result that is no text',
      { results: [{ id: 'a', output: 3 }] },
      /`data\.results\[0\]\.output` to be a string, got a number\. .*JSON\.stringify/,
    ],
    [
      'a result without an output',
      { results: [{ id: 'a' }] },
      /`data\.results\[0\]\.output` to be a string, got undefined\. Give the result as text\./,
    ],
    [
      'data that is JSON text',
      '{"output":"x"}',
      /`data` to be an object, got a string\. It is text that holds JSON: send the value itself/,
    ],
    [
      'results that are JSON text',
      { results: '[]' },
      /an array of \{id, output, isError\?\}, got a string\. It is text that holds JSON/,
    ],
    [
      'a result that is JSON text',
      { results: ['{}'] },
      /`data\.results\[0\]` to be \{id, output, isError\?\}, got a string\. It is text that holds JSON/,
    ],
    [
      'a result without an id',
      { results: [{ output: '' }] },
      /`data\.results\[0\]\.id` to be the id of a call, got undefined\./,
    ],
    ['a flag that is text', { output: '', isError: 'no' }, /`data\.isError` to be a boolean, got a string\./],
    [
      'two results for one call',
      {
        results: [
          { id: 'a', output: '{}' },
          { id: 'a', output: '{}' },
        ],
      },
      /two results for call "a"; a call takes one\./,
    ],
    [
      'a call of another request',
      { results: [{ id: 'b', output: '' }] },
      /no call "b"\. Take the ids from `relayCallsOf\(request\)`\./,
    ],
    ['no result at all', { results: [] }, /`data\.results` is empty\. Give a result, or decline/],
    [
      'nothing',
      {},
      /neither `data\.results` nor `data\.output`\. Give results with `relayAnswer`, or decline/,
    ],
    [
      'what violates the schema',
      { output: '{"euros":"5"}' },
      /call "a" does not fit the output schema of pay: `euros` must be a whole number, not text\. Correct it and answer again\./,
    ],
  ])('%s', async (_what, data, says) => {
    const at = await halted({ ...RELAY, outputSchema: SCHEMA } as Route);
    expectSentences(refusalOf(at, { data }), says);
  });

  it.each<[what: string, data: Json, says: RegExp]>([
    [
      'both ways to edit',
      { input: {}, output: '' },
      /both `data\.output` .* and `data\.input` .*\. Send one of them\./,
    ],
    [
      'arguments as JSON text',
      { input: '{"euros":5}' },
      /`data\.input` to be an object of arguments, got a string\. It is text that holds JSON/,
    ],
    [
      'an output that is no text',
      { output: ['paid'] },
      /`data\.output` to be a string, got an array\. .*JSON\.stringify/,
    ],
    [
      'a key that nobody reads',
      { inputs: {} },
      /has the key "inputs"; what this request takes is `input`, `output`, `isError`, `digest`, `allCalls`\./,
    ],
    [
      'arguments that do not fit',
      { input: { euros: 'x' } },
      /do not fit the input schema of pay: .*\. Correct it and answer again\./,
    ],
    [
      'too much',
      { input: { note: 'x'.repeat(300_000) } },
      /have 300\d+ bytes as JSON; at most \d+ are taken for all calls of a message\. Store large values elsewhere/,
    ],
  ])('R28: an approval with %s', async (_what, data, says) => {
    const at = await halted(tool({ holds: [APPROVAL], inputSchema: SCHEMA }));
    expectSentences(refusalOf(at, { data }), says);
  });

  it.each<[what: string, data: Json, says: RegExp]>([
    ['nothing', {}, /needs `data\.output` \(the result\) or `data\.rerun: true`\. With `ok: false`/],
    [
      'an output that is no text',
      { output: 5 },
      /`data\.output` to be a string, got a number\. .*JSON\.stringify/,
    ],
    [
      'both at once',
      { output: 'paid', rerun: true },
      /both `data\.output` \(the result\) and `data\.rerun`\. Send one of them\./,
    ],
  ])('R28: about an unknown outcome, with %s', async (_what, data, says) => {
    const at = await halted(tool({ destructive: true }), { is: 'unknown', why: 'its worker died' });
    expectSentences(refusalOf(at, { data }), says);
  });

  it('R24: a call that has its result already', async () => {
    const at = await relayScene('a', 'b');
    answer(at, relayAnswer(at.requestId, [{ id: 'a', output: 'x' }]));
    const message = refusalOf(at, { data: { results: [{ id: 'a', output: 'y' }] } });
    expectSentences(
      message,
      /Call "a" has its result already, and the first one stands\. Leave that call out\./,
    );
  });

  it('R11: an answer that is JSON text itself', async () => {
    const at = await relayScene('a');
    expectSentences(refusalOf(at, '{"id":"x","ok":true}'), /got a string\. It is text that holds JSON/);
  });

  it('R11: no value of the data is told, and a name only as far as it can be read', async () => {
    const at = await halted({
      ...RELAY,
      outputSchema: { type: 'object', additionalProperties: false },
    } as Route);
    const message = refusalOf(at, { data: { output: JSON.stringify({ ['k'.repeat(5000)]: 'secret' }) } });
    expect(message).not.toContain('secret');
    expect(message.length).toBeLessThan(1000);
  });
});

/** Full sentences: what was refused, why and what to do, and that nothing came of it. */
function expectSentences(message: string, says: RegExp): void {
  expect(message).toMatch(says);
  expect(message).toMatch(
    /^The answer (to request "req_[^"]+" )?was refused\. [A-Z`].*[^.]\. Nothing was changed\.$/,
  );
}
