import type { RunEvent } from '../../src/agent/event';
import { timelineOf } from '../../src/inbox/timeline';

const at = (ms: number): string => new Date(1_700_000_000_000 + ms).toISOString();
const base = (from: number, to: number, position: number) => ({
  position,
  runId: 'r',
  turn: 1,
  startedAt: at(from),
  endedAt: at(to),
});

const events: RunEvent[] = [
  {
    ...base(0, 500, 0),
    type: 'model',
    model: 'm',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    finishReason: 'tool_calls',
  },
  { ...base(500, 500, 1), type: 'request', requestId: 'q', kind: 'approval', callIds: ['c'] },
  { ...base(600, 600, 2), type: 'answer', requestId: 'q', ok: true, resolved: false, via: 'update' },
  { ...base(9_500, 9_500, 3), type: 'answer', requestId: 'q', ok: true, resolved: true, via: 'update' },
  { ...base(9_600, 10_000, 4), type: 'tool', callId: 'c', name: 'refund', isError: true, pending: false },
];

test('a wait lasts from its request to the answer that closed it, all on one scale', () => {
  expect(timelineOf(events, Date.parse(at(99_999)), true)).toEqual({
    startedAt: Date.parse(at(0)),
    lengthMs: 10_000,
    spans: [
      { is: 'turn', label: 'Turn 1: m', from: 0, to: 500 },
      { is: 'wait', label: 'approval', from: 500, to: 9_500 },
      { is: 'call', label: 'refund', from: 9_600, to: 10_000, failed: true },
    ],
  });
});

test('what still waits goes on to now, and a run of which nothing is known has no timeline', () => {
  const open = timelineOf(events.slice(0, 3), Date.parse(at(20_000)), false);
  expect(open?.lengthMs).toBe(20_000);
  expect(open?.spans[1]).toEqual({ is: 'wait', label: 'approval', from: 500 });
  expect(timelineOf([], 0, false)).toBeUndefined();
});
