import type { Request } from '../../src/agent/request';
import { waitingFor } from '../../src/inbox/waiting';

const row = (id: string, request: Partial<Request> = {}, openedAt = '2026-03-01T12:00:00Z') => ({
  runId: id,
  agent: 'desk',
  request: { id, kind: 'approval', prompt: 'p', ...request },
  callIds: [],
  openedAt,
  confirmed: true,
});
const ana = { subject: 'ana', roles: ['finance'] };
const ids = (rows: readonly { runId: string }[]) => rows.map(({ runId }) => runId);

test('the oldest deadline comes first, whatever its offset, then what waits longest', () => {
  const rows = [
    row('none, young', {}, '2026-03-01T13:00:00Z'),
    row('none, old', {}, '2026-03-01T11:00:00Z'),
    row('late', { expiresAt: '2026-03-01T14:00:00Z' }),
    row('soon', { expiresAt: '2026-03-01T15:00:00+02:00' }),
  ];
  expect(ids(waitingFor(ana, rows, {}).rows)).toEqual(['soon', 'late', 'none, old', 'none, young']);
});

test('what waits for somebody names them, a role of theirs or nobody, and lacks their vote', () => {
  const at = '2026-03-01T12:00:00Z';
  const rows = [
    row('anybody'),
    row('by name', { policy: { approvers: ['ana'] } }),
    row('by role', { policy: { approvers: ['finance'] } }),
    row('another', { policy: { approvers: ['ben'] } }),
    row('escalated', {
      policy: { approvers: ['ben'], escalateAt: at, escalateTo: ['ana'], escalatedAt: at },
    }),
    row('not yet', { policy: { approvers: ['ben'], escalateAt: at, escalateTo: ['ana'] } }),
    row('voted', { policy: { quorum: 2, votes: [{ by: 'ana', at }] } }),
  ];
  expect(ids(waitingFor(ana, rows, {}).rows)).toEqual(['anybody', 'by name', 'by role', 'escalated']);
  expect(waitingFor(ana, rows, { everybody: true }).rows).toHaveLength(7);
  expect(waitingFor(ana, rows, { kind: 'question' }).rows).toEqual([]);
});
