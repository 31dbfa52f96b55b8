import { approve, decline, respond } from '../../src/agent/decisions';
import { inputDigest } from '../../src/agent/approval';
import {
  acceptAnswer,
  advancePolicies,
  expireRequests,
  noteRefusal,
  type Acceptance,
} from '../../src/agent/intake';
import { revokeGrants } from '../../src/agent/grants';
import { nextDue } from '../../src/agent/open-request';
import type { RequestPolicy } from '../../src/agent/policy';
import type { RequestDraft } from '../../src/agent/request';
import { scene, ScriptedPort, type PortTurn, type Scene } from './scripted-port';
import { tool } from './scenes';

const INPUT = { order: 7 };
const HOUR = 3_600_000;

function hold(policy?: RequestPolicy, draft: Partial<RequestDraft> = {}): RequestDraft {
  return {
    kind: 'approval',
    prompt: 'approve refund({"order":7})',
    data: { tool: 'refund', input: INPUT, arguments: '{"order":7}', digest: inputDigest(INPUT) },
    ...(policy && { policy }),
    ...draft,
  };
}

function refund(policy?: RequestPolicy, draft?: Partial<RequestDraft>) {
  return { name: 'refund', arguments: '{"order":7}', route: tool({ holds: [hold(policy, draft)] }) };
}

const DONE: PortTurn = { content: 'Done.' };

async function held(policy?: RequestPolicy, draft?: Partial<RequestDraft>): Promise<Scene & { id: string }> {
  const at = scene(new ScriptedPort([{ calls: [refund(policy, draft)] }, DONE]));
  expect(await at.go()).toBe('halted');
  return Object.assign(at, { id: at.run.requests[0]?.request.id ?? '' });
}

function accept({ run, port }: Scene, answer: unknown): Acceptance {
  return acceptAnswer(run, answer, { now: port.now(), via: 'update' });
}

function receipt(acceptance: Acceptance) {
  if (!acceptance.ok) throw acceptance.error;
  return acceptance.receipt;
}

function expectRefused(at: Scene, answer: unknown, type: string, says: RegExp): void {
  const before = JSON.stringify(at.run);
  const acceptance = accept(at, answer);
  if (acceptance.ok) throw new Error('It was accepted.');
  expect(acceptance.error.type).toBe(`Holdpoint.Answer.${type}`);
  expect(acceptance.error.message).toMatch(says);
  expect(JSON.stringify(at.run)).toBe(before);
}

describe('who may answer', () => {
  const policy = { approvers: ['ann', 'finance'] };

  it('refuses an answer of anybody else, and one that does not say whose it is; declines, too', async () => {
    const at = await held(policy);
    expectRefused(
      at,
      approve(at.id, { by: 'bob' }),
      'NotApprover',
      /"bob" is none of those who may: "ann", "finance"/,
    );
    expectRefused(at, approve(at.id, { by: 'bob', roles: ['sales'] }), 'NotApprover', /"bob"/);
    expectRefused(at, approve(at.id, { roles: ['finance'] }), 'NotApprover', /does not say who answers/);
    expectRefused(at, { ...decline(at.id), by: 'bob' }, 'NotApprover', /"bob"/);
    expect(at.port.executions).toHaveLength(0);
  });

  it('takes the word of a name, and of anybody with the role, and records by which of them', async () => {
    const byName = await held(policy);
    expect(receipt(accept(byName, approve(byName.id, { by: 'ann' })))).toMatchObject({
      by: 'ann',
      as: 'ann',
    });
    const byRole = await held(policy);
    const given = { ...approve(byRole.id, { by: 'cy', roles: ['sales', 'finance'] }), channel: 'inbox' };
    expect(receipt(accept(byRole, given))).toMatchObject({
      by: 'cy',
      as: 'finance',
      channel: 'inbox',
      via: 'update',
      digest: inputDigest(INPUT),
    });
    expect(await byRole.go()).toBe('ended');
    expect(byRole.results()).toEqual(['refund done']);
  });

  it('asks the same people what became of a call whose outcome is unknown', async () => {
    const at = scene(
      new ScriptedPort(
        [{ calls: [refund({ ...policy, escalateTo: ['boss'], escalateAt: '2026-01-02T00:00:00Z' })] }, DONE],
        () => ({ is: 'unknown', why: 'the worker died' }),
      ),
    );
    await at.go();
    accept(at, approve(at.run.requests[0]?.request.id ?? '', { by: 'ann' }));
    expect(await at.go()).toBe('halted');
    const [open] = at.run.requests;
    expect(open?.request).toMatchObject({
      kind: 'reconcile',
      policy: { approvers: ['ann', 'finance', 'boss'] },
    });
    const rerun = { id: open?.request.id, ok: true, data: { rerun: true } };
    expectRefused(at, { ...rerun, by: 'bob' }, 'NotApprover', /"bob"/);
  });
});

describe('a quorum', () => {
  it('runs the call at the last vote, once; each vote is a receipt that resolves nothing', async () => {
    const at = await held({ quorum: 3 });
    expect(receipt(accept(at, approve(at.id, { by: 'ann' })))).toMatchObject({
      resolved: false,
      settled: [],
    });
    expect(await at.go()).toBe('halted');
    expect(receipt(accept(at, approve(at.id, { by: 'bob' })))).toMatchObject({ resolved: false });
    expect(at.run.requests[0]?.request.policy?.votes?.map(({ by }) => by)).toEqual(['ann', 'bob']);
    expect(at.port.executions).toHaveLength(0);
    expect(receipt(accept(at, approve(at.id, { by: 'cy' })))).toMatchObject({ resolved: true });
    expect(await at.go()).toBe('ended');
    expect(at.port.executions).toHaveLength(1);
  });

  it('counts one vote for each person; the same answer again is a repeat', async () => {
    const at = await held({ quorum: 2 });
    const first = receipt(accept(at, approve(at.id, { by: 'ann' })));
    expect(receipt(accept(at, approve(at.id, { by: 'ann' })))).toEqual(first);
    expectRefused(
      at,
      { ...approve(at.id, { by: 'ann' }), answerId: 'second' },
      'AlreadyAnswered',
      /"ann" approved it at .*one vote; 1 more must approve/,
    );
    expectRefused(at, approve(at.id), 'NotApprover', /votes are counted by person/);
    expectRefused(at, approve(at.id, { by: '' }), 'NotApprover', /votes are counted by person/);
    expect(at.run.requests).toHaveLength(1);
  });

  it('is decided by one decline, also by somebody who had approved', async () => {
    const at = await held({ quorum: 2 });
    accept(at, approve(at.id, { by: 'ann' }));
    expect(receipt(accept(at, { ...decline(at.id, 'too much'), by: 'ann' }))).toMatchObject({
      resolved: true,
    });
    expect(await at.go()).toBe('ended');
    expect(at.results()).toEqual(['declined/expired: approve refund({"order":7})\nreason: too much']);
    expect(at.port.executions).toHaveLength(0);
  });

  it('begins anew with an edit, which the others then decide on; what runs is the edit', async () => {
    const at = await held({ quorum: 2 });
    accept(at, approve(at.id, { by: 'ann' }));
    const edit = { order: 8 };
    expect(receipt(accept(at, approve(at.id, { by: 'bob', input: edit })))).toMatchObject({
      resolved: false,
      edited: inputDigest(edit),
    });
    const now = at.run.requests[0]?.request;
    expect(now).toMatchObject({
      prompt: 'approve refund({"order":8})',
      data: { input: edit, digest: inputDigest(edit) },
      policy: { votes: [{ by: 'bob' }] },
    });
    expectRefused(
      at,
      approve(at.id, { by: 'cy', digest: inputDigest(INPUT) }),
      'DigestMismatch',
      /not what would run now/,
    );
    accept(at, approve(at.id, { by: 'cy', digest: inputDigest(edit) }));
    expect(await at.go()).toBe('ended');
    expect(at.port.executions[0]?.call).toMatchObject({ edited: edit, recheck: true });
    expect(at.results()[0]).toBe('The approver changed the arguments to {"order":8}.\nrefund done');
  });

  it('takes no result in the tool’s place, and no decision about all calls', async () => {
    const at = await held({ quorum: 2 });
    expectRefused(at, { ...respond(at.id, 'paid'), by: 'ann' }, 'Malformed', /more than one person/);
    expectRefused(at, approve(at.id, { by: 'ann', allCalls: true }), 'Malformed', /more than one person/);
  });
});

describe('what was seen', () => {
  it('is refused when it is not what would run', async () => {
    const at = await held();
    expectRefused(at, approve(at.id, { digest: 'f'.repeat(64) }), 'DigestMismatch', /Read the request again/);
    expect(receipt(accept(at, approve(at.id, { digest: inputDigest(INPUT) })))).toMatchObject({
      resolved: true,
    });
  });
});

describe('all calls of a tool', () => {
  async function approvedAll() {
    const other = {
      name: 'ship',
      arguments: '{}',
      route: tool({ holds: [hold(undefined, { data: { tool: 'ship', digest: 'd' } })] }),
    };
    const at = scene(
      new ScriptedPort([
        { calls: [refund(), refund(), other, refund({ approvers: ['cfo'] }), refund({ quorum: 2 })] },
        { calls: [refund()] },
        DONE,
      ]),
    );
    await at.go();
    const [first] = at.run.requests;
    expectRefused(
      at,
      approve(first?.request.id ?? '', { allCalls: true, input: { order: 8 } }),
      'Malformed',
      /Send one of them/,
    );
    const given = receipt(accept(at, approve(first?.request.id ?? '', { by: 'ann', allCalls: true })));
    expect(given).toMatchObject({ allCallsOf: 'refund', via: 'update' });
    return at;
  }

  it('passes the open and the later ones of that tool, each with a receipt that no person gave', async () => {
    const at = await approvedAll();
    // The other tool, the one with approvers of its own and the one with a quorum stay open.
    expect(at.run.requests.map(({ calls }) => calls)).toEqual([[2], [3], [4]]);
    expect(at.run.receipts.at(-1)?.receipt).toMatchObject({ via: 'policy', by: 'ann', resolved: true });
    for (const { request } of [...at.run.requests]) accept(at, { ...decline(request.id), by: 'cfo' });
    expect(await at.go()).toBe('ended');
    expect(at.port.executions).toHaveLength(3);
    expect(at.run.receipts.at(-1)?.receipt).toMatchObject({ via: 'policy', settled: [expect.any(String)] });
  });

  it('ends when it is taken back: the next call is asked about again', async () => {
    const at = await approvedAll();
    for (const { request } of [...at.run.requests]) accept(at, { ...decline(request.id), by: 'cfo' });
    expect(revokeGrants(at.run, { tool: 'refund', by: 'bob' }, at.port.now())).toBe(true);
    expect(revokeGrants(at.run, { tool: 'refund', by: 'bob' }, at.port.now())).toBe(false);
    expect(at.run.grants).toEqual([expect.objectContaining({ by: 'ann', revokedBy: 'bob' })]);
    expect(await at.go()).toBe('halted');
    expect(at.run.requests[0]?.request).toMatchObject({ kind: 'approval', data: { tool: 'refund' } });
  });
});

describe('time', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const at1 = new Date(start + HOUR).toISOString();
  const at4 = new Date(start + 4 * HOUR).toISOString();
  const at9 = new Date(start + 9 * HOUR).toISOString();
  const policy = { approvers: ['ann'], remindAt: at1, escalateAt: at4, escalateTo: ['boss'] };

  it('reminds once, then lets others answer, then declines; it never approves', async () => {
    const at = await held(policy, { expiresAt: at9 });
    expect(nextDue(at.run)).toBe(start + HOUR);
    expect(advancePolicies(at.run, start + HOUR - 1)).toEqual([]);
    expect(advancePolicies(at.run, start + HOUR)).toMatchObject([
      { is: 'reminder', open: { request: { id: at.id } } },
    ]);
    expect(advancePolicies(at.run, start + HOUR)).toEqual([]);
    expect(nextDue(at.run)).toBe(start + 4 * HOUR);
    expectRefused(at, approve(at.id, { by: 'boss' }), 'NotApprover', /"boss"/);
    expect(advancePolicies(at.run, start + 4 * HOUR)).toMatchObject([
      { is: 'escalation', open: { request: { id: at.id } } },
    ]);
    expect(at.run.requests[0]?.request.policy).toMatchObject({ remindedAt: at1, escalatedAt: at4 });
    expect(nextDue(at.run)).toBe(start + 9 * HOUR);
    expect(expireRequests(at.run, start + 9 * HOUR)).toHaveLength(1);
    expect(await at.go()).toBe('ended');
    expect(at.port.executions).toHaveLength(0);
    expect(at.run.receipts[0]?.receipt).toMatchObject({ ok: false, via: 'expiry' });
  });

  it('lets those to whom it escalated answer', async () => {
    const at = await held(policy);
    advancePolicies(at.run, start + 5 * HOUR);
    expect(receipt(accept(at, approve(at.id, { by: 'x', roles: ['boss'] })))).toMatchObject({ as: 'boss' });
  });
});

describe('attempts that an API refused', () => {
  it('are on the record with who and where, and none of their other fields', async () => {
    const at = await held();
    const error = { type: 'Holdpoint.Answer.NotApprover', message: 'no', data: { secret: 1 } };
    noteRefusal(
      at.run,
      { requestId: at.id, by: 'mallory', channel: 'api', error, data: { pin: 9 } },
      at.port.now(),
    );
    expect(at.run.rejections).toEqual([
      {
        requestId: at.id,
        by: 'mallory',
        channel: 'api',
        error: { type: 'Holdpoint.Answer.NotApprover', message: 'no' },
        at: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });

  it.each([
    undefined,
    7,
    'x',
    {},
    { error: 5, by: 9 },
    { by: 'x'.repeat(10_000), error: { type: 'y'.repeat(9_999), message: 'z'.repeat(99_999) } },
  ])('take anything (%#) and stay small', async (raw) => {
    const at = await held();
    for (let i = 0; i < 60; i += 1) noteRefusal(at.run, raw, at.port.now());
    expect(JSON.stringify(at.run.rejections).length).toBeLessThan(120_000);
  });
});

describe('what an edit leaves of a vote', () => {
  it('is nothing: an approval that does not say which arguments it saw is refused from then on', async () => {
    const at = await held({ quorum: 2 });
    const edit = { order: 8 };
    accept(at, approve(at.id, { by: 'bob', input: edit }));
    expectRefused(at, approve(at.id, { by: 'cy' }), 'DigestMismatch', /Read the request again/);
    expect(at.port.executions).toHaveLength(0);
    expect(receipt(accept(at, approve(at.id, { by: 'cy', digest: inputDigest(edit) })))).toMatchObject({
      resolved: true,
    });
  });
});
