import fc from 'fast-check';
import { inputDigest } from '../../src/agent/approval';
import { approve } from '../../src/agent/decisions';
import { acceptAnswer } from '../../src/agent/intake';
import type { JsonObject } from '../../src/agent/json';
import { judgeBySnapshot } from '../../src/client/answer-verdict';
import { prepareAnswer } from '../../src/client/prepared-answer';
import { snapshotOf } from '../../src/workflows/snapshot';
import { scene, ScriptedPort, type Scene } from './scripted-port';
import { tool } from './scenes';

const versionOf = (n: number): JsonObject => ({ order: n });

async function halt(quorum: number): Promise<Scene & { readonly id: string }> {
  const input = versionOf(0);
  const data = { tool: 'pay', input, arguments: JSON.stringify(input), digest: inputDigest(input) };
  const hold = { kind: 'approval', prompt: 'approve pay', data, policy: { quorum } };
  const call = { name: 'pay', arguments: JSON.stringify(input), route: tool({ holds: [hold] }) };
  const at = scene(new ScriptedPort([{ calls: [call] }, { content: 'Done.' }]));
  expect(await at.go()).toBe('halted');
  return Object.assign(at, { id: at.run.requests[0]?.request.id ?? '' });
}

/** Somebody approves, having seen a version, or none; or puts a version in its place. */
interface Deed {
  readonly by: string;
  readonly saw?: number;
  readonly edit?: number;
}

const deed: fc.Arbitrary<Deed> = fc.record(
  { by: fc.constantFrom('ann', 'bob', 'cy', 'dee'), saw: fc.nat(2), edit: fc.nat(2) },
  { requiredKeys: ['by'] },
);

/** What the rules say, told in another way: who has agreed to the version that would run. */
class Ballot {
  version = 0;
  isEdited = false;
  voters: readonly string[] = [];

  cast({ by, saw = this.isEdited ? undefined : this.version, edit = this.version }: Deed): void {
    if (this.voters.includes(by) || saw !== this.version) return;
    if (edit !== this.version) Object.assign(this, { version: edit, isEdited: true, voters: [] });
    this.voters = [...this.voters, by];
  }
}

function answerFor(id: string, { by, saw, edit }: Deed) {
  return approve(id, {
    by,
    ...(saw !== undefined && { digest: inputDigest(versionOf(saw)) }),
    ...(edit !== undefined && { input: versionOf(edit) }),
  });
}

test('a call runs exactly when as many people as it needs have approved the version that runs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 3 }),
      fc.array(deed, { maxLength: 14 }),
      async (quorum, deeds) => {
        const at = await halt(quorum);
        const ballot = new Ballot();
        for (const one of deeds) {
          if (ballot.voters.length === quorum) break;
          ballot.cast(one);
          acceptAnswer(at.run, answerFor(at.id, one), { now: 0, via: 'update' });
          const [open] = at.run.requests;
          expect(open === undefined).toBe(ballot.voters.length === quorum);
          if (open) expect((open.request.policy?.votes ?? []).map(({ by }) => by)).toEqual(ballot.voters);
        }
        const isAgreed = ballot.voters.length === quorum;
        expect(await at.go()).toBe(isAgreed ? 'ended' : 'halted');
        const ran = at.port.executions.map(({ call }) => call.edited ?? versionOf(0));
        expect(ran).toEqual(isAgreed ? [versionOf(ballot.version)] : []);
      },
    ),
    { numRuns: 300 },
  );
});

test('a vote that an edit made void counts when it is given again; until then a retry of it changes nothing', async () => {
  const at = await halt(3);
  const cast = (one: Deed) =>
    acceptAnswer(at.run, { ...answerFor(at.id, one), answerId: one.by }, { now: 0, via: 'update' });
  const votes = () => at.run.requests[0]?.request.policy?.votes?.map(({ by }) => by);
  const first = { by: 'ann', saw: 0 };
  expect(cast(first).ok && cast(first).ok).toBe(true);
  expect(votes()).toEqual(['ann']);
  cast({ by: 'bob', saw: 0, edit: 1 });
  expect(cast(first)).toMatchObject({ ok: false, error: { type: 'Holdpoint.Answer.DigestMismatch' } });
  cast({ by: 'cy', saw: 1, edit: 0 });
  expect(votes()).toEqual(['cy']);
  expect(at.run.receipts.map(({ receipt }) => receipt.voided)).toEqual([true, true, undefined]);
  // What a client sends is judged by its own copy of the record first.
  const judged = () =>
    judgeBySnapshot(
      snapshotOf(at.run, at.transcript),
      prepareAnswer({ ...answerFor(at.id, first), answerId: 'ann' }),
      0,
    );
  expect(judged().is).toBe('open');
  expect(cast(first)).toMatchObject({ ok: true, receipt: { resolved: false } });
  expect(votes()).toEqual(['cy', 'ann']);
  expect(judged()).toMatchObject({ is: 'repeat', receipt: { resolved: false } });
  expect(at.run.receipts.at(-1)?.receipt).toEqual(expect.not.objectContaining({ voided: true }));
  expect(cast({ by: 'dee', saw: 0 })).toMatchObject({ receipt: { resolved: true } });
  // What is told of it later is of the one that counted.
  const later = cast(first);
  expect(later.ok && later.repeat && later.receipt.voided).toBeUndefined();
});
