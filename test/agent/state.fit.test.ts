import { jsonSize } from '../../src/agent/json';
import { okResult } from '../../src/agent/tool';
import type { AcceptedAnswer, EndedAsk, RunSnapshot, RunSnapshotSummary } from '../../src/agent/wire';
import { shownAsk, withEnded, withReceipts } from '../../src/workflows/ended-asks';
import { fitted } from '../../src/workflows/fitted';
import { snapshotOf, summaryOf } from '../../src/workflows/snapshot';
import { relayScene, scene, ScriptedPort, TOOL, type Scene } from './scripted-port';

const NOTE = { note: 'x'.repeat(32_000) };

/** A run of so many calls, each with as much metadata as one may have. */
async function noted(calls: number): Promise<Scene> {
  const turns = Array.from({ length: calls }, () => ({ calls: [{ name: 'look', route: TOOL }] }));
  const tool = () => ({ is: 'result' as const, result: okResult('seen', NOTE) });
  const at = scene(new ScriptedPort([...turns, { content: 'Done.' }], tool), { limits: { maxTurns: 1000 } });
  await at.go();
  return at;
}

function asks(summary: RunSnapshotSummary, count: number): EndedAsk[] {
  let ended: EndedAsk[] = [];
  for (let n = 1; n <= count; n += 1) ended = withEnded(ended, { ...summary, runId: `c/${n}` });
  return ended;
}

describe('What a run shows and takes along is bounded', () => {
  it('R35: a run keeps 256 KiB of metadata; calls beyond that say how much was left out', async () => {
    const { run, transcript } = await noted(20);
    expect(run.marks).toHaveLength(20);
    expect(run.marks[0]?.metadata).toEqual(NOTE);
    expect(run.marks.at(-1)?.metadata).toEqual({
      omitted: '32011 bytes of metadata; a run keeps 262144 in all',
    });
    expect(jsonSize(snapshotOf(run, transcript))).toBeLessThan(300_000);
  });

  it('R39: of a hundred ended asks the oldest lose their metadata first; none loses its end', async () => {
    const { run, transcript } = await noted(3);
    const ended = asks(summaryOf(run, transcript), 150);
    expect(ended).toHaveLength(100);
    expect(jsonSize(ended)).toBeLessThan(300_000);
    expect(ended.at(-1)?.marks[0]?.metadata).toEqual(NOTE);
    expect(ended[0]?.marks).toEqual([2, 4, 6].map((at) => ({ at, isError: false })));
    const shown = ended[0] && shownAsk(ended[0], transcript);
    expect(shown).toMatchObject({ runId: 'c/51', status: 'done', text: 'Done.', toolCallCount: 3 });
  });

  it('R39: texts of ended asks are kept once, in the transcript', async () => {
    const text = 'y'.repeat(100_000);
    const at = scene(new ScriptedPort([{ content: text }]));
    await at.go();
    const ended = asks(summaryOf(at.run, at.transcript), 100);
    expect(jsonSize(ended)).toBeLessThan(60_000);
    expect(ended[99] && shownAsk(ended[99], at.transcript).text).toBe(text);
  });

  it('R29: receipts of earlier asks are kept up to 500 and 256 KiB, the newest', () => {
    const accepted = (n: number, by = ''): AcceptedAnswer => ({
      receipt: {
        ...{ requestId: `r${n}`, accepted: true, ok: true, resolved: true, via: 'call' },
        ...{ settled: [], open: [], at: '', by },
      },
      turn: 1,
      fingerprint: '',
    });
    const small = withReceipts(
      [],
      Array.from({ length: 700 }, (_, n) => accepted(n)),
    );
    expect([small.length, small[0]?.receipt.requestId]).toEqual([500, 'r200']);
    const large = withReceipts(small, [accepted(700, 'b'.repeat(200_000))]);
    expect(jsonSize(large)).toBeLessThanOrEqual(262_144 + 1000);
    expect(large.at(-1)?.receipt.requestId).toBe('r700');
  });

  it('R30: a state is always small enough to arrive, and says when it is not whole', async () => {
    const { run, transcript } = await relayScene('a');
    const small = snapshotOf(run, transcript);
    expect(fitted(small)).toBe(small);
    const summary = { ...summaryOf(run, transcript), output: { page: 'z'.repeat(500_000) } };
    const huge: RunSnapshot = {
      ...small,
      text: 't'.repeat(1_000_000),
      output: 'o'.repeat(1_000_000),
      requests: small.requests.map((open) => ({
        ...open,
        request: { ...open.request, prompt: 'p'.repeat(1_000_000) },
      })),
      marks: Array.from({ length: 2000 }, (_, at) => ({ at, isError: true, metadata: NOTE })),
      conversation: { closed: false, asks: 9, queued: [], ended: Array.from({ length: 9 }, () => summary) },
    };
    const shown = fitted(huge);
    expect(jsonSize(shown)).toBeLessThan(1_600_000);
    expect(shown).toMatchObject({ truncated: true, status: 'pending', requests: huge.requests });
  });

  it('R30: a hundred approvals of tools with large schemas arrive: a form is made of the arguments instead', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(16_000) };
    const holds = [{ kind: 'approval', prompt: 'Pay?', data: { tool: 'pay', input: {} } }];
    const calls = Array.from({ length: 120 }, () => ({
      name: 'pay',
      route: { ...TOOL, holds, inputSchema },
    }));
    const at = scene(new ScriptedPort([{ calls }]));
    await at.go();
    const { run, transcript } = at;
    const whole = snapshotOf(run, transcript);
    expect(jsonSize(whole)).toBeGreaterThan(1_900_000);
    const shown = fitted(whole);
    expect(jsonSize(shown)).toBeLessThan(100_000);
    expect(shown.requests.map(({ request }) => request)).toEqual(run.requests.map(({ request }) => request));
  });
});
