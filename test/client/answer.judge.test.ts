import { answerFingerprint } from '../../src/agent/answer';
import { NO_USAGE } from '../../src/agent/model';
import type { Receipt } from '../../src/agent/receipt';
import type { AcceptedAnswer, RunSnapshot } from '../../src/agent/wire';
import { judgeBySnapshot } from '../../src/client/answer-verdict';
import { prepareAnswer } from '../../src/client/prepared-answer';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function snapshot(fields: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    runId: 'r',
    agent: 'desk',
    status: 'pending',
    text: '',
    turns: 1,
    usage: NO_USAGE,
    model: 'm',
    toolCallCount: 1,
    requests: [],
    receipts: [],
    rejections: [],
    from: 0,
    to: 3,
    marks: [],
    startedAt: '2026-03-01T11:00:00Z',
    ...fields,
  };
}

function open(id: string, expiresAt?: string): RunSnapshot['requests'] {
  const request = { id, kind: 'approval', prompt: 'May it?', ...(expiresAt !== undefined && { expiresAt }) };
  return [{ request, callIds: ['c'], openedAt: '2026-03-01T11:30:00Z' }];
}

function accepted(
  answer: Parameters<typeof answerFingerprint>[0],
  fields: Partial<Receipt> = {},
): AcceptedAnswer {
  const { id, answerId } = answer;
  return {
    receipt: {
      requestId: id,
      ...(answerId !== undefined && { answerId }),
      accepted: true,
      ok: answer.ok,
      resolved: true,
      settled: ['c'],
      open: [],
      at: '2026-03-01T11:45:00Z',
      via: 'signal',
      ...fields,
    },
    fingerprint: answerFingerprint(answer),
    turn: 1,
  };
}

const yes = { id: 'q', ok: true };
const no = { id: 'q', ok: false };
const judge = (given: unknown, state: RunSnapshot, workflow?: 'closed'): string => {
  const verdict = judgeBySnapshot(state, prepareAnswer(given), NOW, workflow);
  return verdict.is === 'refused' ? verdict.error.type.replace('Holdpoint.Answer.', '') : verdict.is;
};

test('R29: a repeat comes before every refusal, a reused id before all others', () => {
  const ended = { status: 'done', receipts: [accepted({ ...yes, answerId: 'one' })] } as const;
  expect(judge({ ...yes, answerId: 'one' }, snapshot(ended))).toBe('repeat');
  expect(judge(yes, snapshot(ended))).toBe('repeat');
  expect(judge({ ...no, answerId: 'one' }, snapshot(ended))).toBe('AnswerIdReused');
  expect(judge({ ...yes, answerId: 'two' }, snapshot(ended))).toBe('AlreadyAnswered');
  expect(judge(no, snapshot(ended))).toBe('AlreadyAnswered');
});

test('R29: an answer to an ended run is RunClosed, and so is one that a closed workflow can never take', () => {
  expect(judge(yes, snapshot({ status: 'done' }))).toBe('RunClosed');
  expect(judge(yes, snapshot({ requests: open('q') }), 'closed')).toBe('RunClosed');
  const declined = accepted(no, { via: 'cancel' });
  expect(judge(yes, snapshot({ receipts: [declined], status: 'cancelled' }))).toBe('RunClosed');
});

test('R31: past its deadline a request is Expired, open or declined by the clock; before it is open', () => {
  expect(judge(yes, snapshot({ requests: open('q', '2026-03-01T12:00:00Z') }))).toBe('Expired');
  expect(judge(yes, snapshot({ requests: open('q', '2026-03-01T14:00:00.001+02:00') }))).toBe('open');
  expect(
    judge(yes, snapshot({ receipts: [accepted({ ...no, reason: 'expired' }, { via: 'expiry' })] })),
  ).toBe('Expired');
});

test('R30: an unknown request is refused at a halt and left to the run while it works', () => {
  expect(judge(yes, snapshot({ requests: open('other') }))).toBe('UnknownRequest');
  expect(judge(yes, snapshot({ status: 'running' }))).toBe('open');
});

test('R23: an answer for calls that are still open is left to the run, whatever was answered before', () => {
  const first = accepted(
    { ...yes, data: { results: [{ id: 'a', output: '1' }] } },
    { resolved: false, open: ['b'] },
  );
  expect(judge({ ...yes, data: { results: [] } }, snapshot({ requests: open('q'), receipts: [first] }))).toBe(
    'open',
  );
});

test('R29: the id of an answer and of its update come from what it says, and from nothing else', () => {
  const one = prepareAnswer({ id: 'q', ok: true, data: { a: 1, b: [2] } });
  const same = prepareAnswer({ data: { b: [2], a: 1 }, ok: true, id: 'q' });
  expect(same).toMatchObject({ answer: { answerId: one.answer.answerId }, updateId: one.updateId });
  expect(prepareAnswer({ id: 'q', ok: true, data: { a: 1, b: [3] } }).updateId).not.toBe(one.updateId);
  expect(prepareAnswer({ ...one.answer, answerId: 'x'.repeat(512) }).updateId.length).toBeLessThan(100);
});
