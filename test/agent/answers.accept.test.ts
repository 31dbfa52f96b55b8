import { MAX_ANSWER_BYTES, type Answer } from '../../src/agent/answer';
import { acceptAnswer, expireRequests, receiveAnswer, type Acceptance } from '../../src/agent/intake';
import { relayAnswer, answerOutput, answerDeclined } from '../../src/agent/relay';
import type { RunState } from '../../src/agent/run-state';
import { RELAY, relayScene, scene, ScriptedPort, type Scene } from './scripted-port';

function accept({ run, port }: Scene, answer: unknown): Acceptance {
  return acceptAnswer(run, answer, { now: port.now(), via: 'update' });
}

function typeOf(acceptance: Acceptance): string {
  return acceptance.ok ? 'accepted' : acceptance.error.type;
}

/** Refused, and nothing of the run has changed. */
function expectRefused(at: Scene, answer: unknown, type: string): void {
  const before = JSON.stringify(at.run);
  expect(typeOf(accept(at, answer))).toBe(type);
  expect(JSON.stringify(at.run)).toBe(before);
}

const results = (...ids: readonly string[]) => ids.map((id) => ({ id, output: `${id} out` }));

describe('R22: results of a relay request', () => {
  it('takes one result per call id, whatever their order, and records them in call order', async () => {
    const at = await relayScene('a', 'b', 'c');
    expect(typeOf(accept(at, relayAnswer(at.requestId, results('c', 'a', 'b'))))).toBe('accepted');
    expect(await at.go()).toBe('ended');
    expect(at.results()).toEqual(['a out', 'b out', 'c out']);
  });

  it('takes the shorthand for the one call that is left open, and refuses it while two are', async () => {
    const at = await relayScene('a', 'b');
    expectRefused(at, answerOutput(at.requestId, 'x'), 'Holdpoint.Answer.Malformed');
    accept(at, relayAnswer(at.requestId, results('a')));
    expect(typeOf(accept(at, answerOutput(at.requestId, 'x', { isError: true })))).toBe('accepted');
    await at.go();
    expect(at.results()).toEqual(['a out', 'x']);
    expect(at.run.marks.map((mark) => mark.isError)).toEqual([false, true]);
  });

  it('prefers `results` to the shorthand', async () => {
    const at = await relayScene('a');
    accept(at, { id: at.requestId, ok: true, data: { results: results('a'), output: 'no' } });
    await at.go();
    expect(at.results()).toEqual(['a out']);
  });
});

describe('R23: partial deliveries', () => {
  it('keeps the results, leaves the request open for the rest, and says in the receipt what is open', async () => {
    const at = await relayScene('a', 'b', 'c');
    const first = accept(at, relayAnswer(at.requestId, results('b')));
    expect(first).toMatchObject({ ok: true, receipt: { resolved: false, settled: ['b'], open: ['a', 'c'] } });
    expect(await at.go()).toBe('halted');
    expect(at.run.requests).toHaveLength(1);
    accept(at, relayAnswer(at.requestId, results('a', 'c')));
    expect(await at.go()).toBe('ended');
    expect(at.results()).toEqual(['a out', 'b out', 'c out']);
  });

  it('makes the missing ones errors when the delivery is final', async () => {
    const at = await relayScene('a', 'b');
    accept(at, { id: at.requestId, ok: true, data: { results: results('b'), final: true } });
    await at.go();
    expect(at.results()).toEqual(['no result supplied on resume for tool_a', 'b out']);
    expect(at.run.marks.map((mark) => mark.isError)).toEqual([true, false]);
  });
});

describe('R24: refused whole, nothing changes', () => {
  it.each<[string, string, (id: string) => unknown]>([
    ['an unknown call id', 'UnknownCall', (id) => relayAnswer(id, results('a', 'zz'))],
    ['the same call twice', 'Malformed', (id) => relayAnswer(id, results('a', 'a'))],
    [
      'an output that is no string',
      'Malformed',
      (id) => ({ id, ok: true, data: { results: [{ id: 'a', output: 3 }] } }),
    ],
    [
      'an isError that is no boolean',
      'Malformed',
      (id) => ({ id, ok: true, data: { results: [{ id: 'a', output: '', isError: 'no' }] } }),
    ],
    ['results that are no array', 'Malformed', (id) => ({ id, ok: true, data: { results: { a: 'x' } } })],
    ['an entry that is no object', 'Malformed', (id) => ({ id, ok: true, data: { results: ['a'] } })],
    ['no results at all', 'Malformed', (id) => ({ id, ok: true })],
    ['an empty list of results', 'Malformed', (id) => relayAnswer(id, [])],
    ['final without results', 'Malformed', (id) => ({ id, ok: true, data: { final: true } })],
    ['a null output', 'Malformed', (id) => ({ id, ok: true, data: { output: null } })],
  ])('%s', async (_what, type, make) => {
    const at = await relayScene('a', 'b');
    expectRefused(at, make(at.requestId), `Holdpoint.Answer.${type}`);
  });

  it('a result that violates the output schema; an error result is not held to it', async () => {
    const outputSchema = { type: 'object', properties: { units: { type: 'integer' } }, required: ['units'] };
    const at = scene(
      new ScriptedPort([
        { calls: [{ id: 'a', name: 'stock', route: { ...RELAY, outputSchema } as never }] },
        { content: 'ok' },
      ]),
    );
    await at.go();
    const id = at.run.requests[0]?.request.id ?? '';
    expectRefused(at, answerOutput(id, '{"units":"many"}'), 'Holdpoint.Answer.Invalid');
    expectRefused(at, answerOutput(id, 'many'), 'Holdpoint.Answer.Invalid');
    expect(typeOf(accept(at, answerOutput(id, 'the scanner is broken', { isError: true })))).toBe('accepted');
  });
});

describe('R11: the shape of an answer', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'yes'],
    ['a list', []],
    ['ok as text', { id: 'x', ok: 'true' }],
    ['ok as a number', { id: 'x', ok: 1 }],
    ['no ok', { id: 'x' }],
    ['an empty id', { id: '', ok: true }],
    ['data as a list', { id: 'x', ok: true, data: [] }],
    ['data as text', { id: 'x', ok: true, data: 'secret' }],
    ['reason as an object', { id: 'x', ok: false, reason: {} }],
    ['an empty answerId', { id: 'x', ok: true, answerId: '' }],
  ])('%s is malformed', async (_what, raw) => {
    const at = await relayScene('a');
    expectRefused(at, raw, 'Holdpoint.Answer.Malformed');
  });

  it('no value of data appears in an error, only its keys', async () => {
    const at = await relayScene('a');
    const refused = accept(at, {
      id: at.requestId,
      ok: true,
      data: { password: 'hunter2', results: 'hunter2' },
    });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expect(refused).toMatchObject({ error: { data: { dataKeys: ['password', 'results'] } } });
  });

  it('an answer over the size that travels is refused by its own type', async () => {
    const at = await relayScene('a');
    expectRefused(at, answerOutput(at.requestId, 'x'.repeat(MAX_ANSWER_BYTES)), 'Holdpoint.Answer.TooLarge');
  });
});

describe('R25: a decline', () => {
  it('ignores data, names each call that is still open, and the run goes on', async () => {
    const at = await relayScene('a', 'b');
    accept(at, relayAnswer(at.requestId, results('a')));
    accept(at, { ...answerDeclined(at.requestId, 'over budget'), data: { results: results('b') } });
    expect(await at.go()).toBe('ended');
    expect(at.run.status).toBe('done');
    expect(at.results()).toEqual([
      'a out',
      'declined/expired: relay tool call tool_b to the caller for execution\nreason: over budget',
    ]);
  });

  it.each(['', 'declined', 'expired', 'cancelled'])(
    'the plain reason %p has no second line',
    async (reason) => {
      const at = await relayScene('a');
      accept(at, { id: at.requestId, ok: false, reason });
      await at.go();
      expect(at.results()).toEqual(['declined/expired: relay tool call tool_a to the caller for execution']);
    },
  );
});

describe('R29: which answer wins', () => {
  it('a repeat of an accepted answer gives the first receipt, key order ignored, also after the end', async () => {
    const at = await relayScene('a');
    const answer: Answer = {
      id: at.requestId,
      ok: true,
      data: { results: [{ id: 'a', output: 'x' }], note: 1 },
      answerId: 'n1',
    };
    const first = accept(at, answer);
    await at.go();
    const again = accept(at, {
      answerId: 'n1',
      data: { note: 1, results: [{ output: 'x', id: 'a' }] },
      ok: true,
      id: at.requestId,
    });
    expect(again).toEqual({ ...first, repeat: true });
  });

  it('without an answer id the same content is a repeat, other content is AlreadyAnswered', async () => {
    const at = await relayScene('a');
    accept(at, answerOutput(at.requestId, 'x'));
    expect(accept(at, answerOutput(at.requestId, 'x'))).toMatchObject({ ok: true, repeat: true });
    expectRefused(at, answerOutput(at.requestId, 'y'), 'Holdpoint.Answer.AlreadyAnswered');
  });

  it('the same answer id with other content is AnswerIdReused, also for another request', async () => {
    const at = await relayScene('a', 'b');
    accept(at, { ...relayAnswer(at.requestId, results('a')), answerId: 'n1' });
    expectRefused(
      at,
      { ...relayAnswer(at.requestId, results('b')), answerId: 'n1' },
      'Holdpoint.Answer.AnswerIdReused',
    );
    expectRefused(at, { id: 'elsewhere', ok: true, answerId: 'n1' }, 'Holdpoint.Answer.AnswerIdReused');
  });

  it('an answer that touches one settled call is refused whole', async () => {
    const at = await relayScene('a', 'b');
    accept(at, relayAnswer(at.requestId, results('a')));
    expectRefused(at, relayAnswer(at.requestId, results('a', 'b')), 'Holdpoint.Answer.AlreadyAnswered');
  });

  it('after the end an unanswered request is RunClosed, an unknown one too', async () => {
    const at = await relayScene('a');
    at.run.stop = { for: 'cancel' };
    await at.go();
    expectRefused(at, answerOutput(at.requestId, 'x'), 'Holdpoint.Answer.RunClosed');
    expectRefused(at, answerOutput('nobody', 'x'), 'Holdpoint.Answer.RunClosed');
  });

  it('an acceptance removes earlier rejections of the same answer id', async () => {
    const at = await relayScene('a');
    receive(at.run, { id: at.requestId, ok: true, answerId: 'n1' });
    expect(at.run.rejections).toHaveLength(1);
    accept(at, { ...answerOutput(at.requestId, 'x'), answerId: 'n1' });
    expect(at.run.rejections).toHaveLength(0);
  });
});

function receive(run: RunState, raw: unknown): void {
  receiveAnswer(run, raw, { now: 0, via: 'signal' });
}

describe('R30: by signal', () => {
  it('a refused answer leaves the run as it is but for a bounded list of rejections', async () => {
    const at = await relayScene('a');
    for (let n = 0; n < 120; n += 1) receive(at.run, { id: at.requestId, ok: 'yes', answerId: `n${n}` });
    expect(at.run.rejections).toHaveLength(50);
    expect(at.run.rejections.at(-1)).toMatchObject({
      answerId: 'n119',
      error: { type: 'Holdpoint.Answer.Malformed' },
    });
    expect(at.run.requests).toHaveLength(1);
  });

  it('while the run works, an answer to a request that does not exist yet is held and applied when it opens', async () => {
    const port = new ScriptedPort([
      { calls: [{ id: 'a', name: 'stock', route: RELAY }] },
      { content: 'done' },
    ]);
    const at = scene(port);
    receive(at.run, answerOutput('req_seed_1_0', 'early'));
    expect(at.run.held).toHaveLength(1);
    expect(await at.go()).toBe('ended');
    expect(at.results()).toEqual(['early']);
  });

  it('what no request came for is refused at the halt, and at once while the run is halted', async () => {
    const port = new ScriptedPort([
      { calls: [{ id: 'a', name: 'stock', route: RELAY }] },
      { content: 'done' },
    ]);
    const at = scene(port);
    receive(at.run, answerOutput('nobody', 'early'));
    expect(await at.go()).toBe('halted');
    expect(at.run.held).toHaveLength(0);
    expect(at.run.rejections.map(({ error }) => error.type)).toEqual(['Holdpoint.Answer.UnknownRequest']);
    receive(at.run, answerOutput('nobody either', 'late'));
    expect(at.run.held).toHaveLength(0);
    expect(at.run.rejections).toHaveLength(2);
  });

  it('holds 64 answers and 256 kB at most; the oldest becomes a rejection', () => {
    const at = scene(new ScriptedPort([]));
    for (let n = 0; n < 70; n += 1) receive(at.run, answerOutput(`r${n}`, 'x'));
    expect(at.run.held).toHaveLength(64);
    expect(at.run.rejections.map(({ requestId }) => requestId)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
    receive(at.run, answerOutput('large', 'x'.repeat(250_000)));
    expect(JSON.stringify(at.run.held).length).toBeLessThanOrEqual(256_000);
    expect(at.run.held.at(-1)?.value.id).toBe('large');
  });
});

describe('R31: deadlines', () => {
  async function expiring(kind: string): Promise<Scene & { requestId: string }> {
    const hold = { kind, prompt: 'Go?', expiresAt: '2026-01-01T01:00:00Z' };
    const port = new ScriptedPort([
      { calls: [{ id: 'a', name: 'pay', route: { to: 'tool', timeoutMs: 0, holds: [hold] } }] },
      { content: 'ok' },
    ]);
    const at = scene(port);
    await at.go();
    return { ...at, requestId: at.run.requests[0]?.request.id ?? '' };
  }

  it('at the deadline the request is declined as expired, and a later answer is refused as Expired', async () => {
    const at = await expiring('approval');
    expect(expireRequests(at.run, at.port.clock + 3_599_999)).toEqual([]);
    expect(expireRequests(at.run, at.port.clock + 3_600_000)).toHaveLength(1);
    expectRefused(at, { id: at.requestId, ok: true }, 'Holdpoint.Answer.Expired');
    await at.go();
    expect(at.results()).toEqual(['declined/expired: Go?']);
    expect(at.port.executions).toHaveLength(0);
  });

  it('an approval that reaches the run after its deadline, before the timer, is refused: fail closed', async () => {
    const at = await expiring('approval');
    at.port.clock += 3_600_000;
    expectRefused(at, { id: at.requestId, ok: true }, 'Holdpoint.Answer.Expired');
  });

  it('for other kinds what comes first wins, and the receipt says that it was late', async () => {
    const at = await expiring('authorization');
    at.port.clock += 3_600_000;
    expect(accept(at, { id: at.requestId, ok: true })).toMatchObject({ ok: true, receipt: { late: true } });
  });
});
