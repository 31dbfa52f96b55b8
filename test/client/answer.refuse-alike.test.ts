import type { ErrorType } from '../../src/agent/errors';
import { acceptAnswer } from '../../src/agent/intake';
import { answerOutput } from '../../src/agent/relay';
import { snapshotOf } from '../../src/workflows/snapshot';
import { judgeBySnapshot } from '../../src/client/answer-verdict';
import { prepareAnswer } from '../../src/client/prepared-answer';
import { relayScene, type Scene } from '../agent/scripted-port';
import { holdpointError } from '../support/matchers';

/** The run's own refusal of an answer, and the client's from the run's record, which must be the same. */
function refusals({ run, port, transcript }: Scene, given: unknown): { run: unknown; client: unknown } {
  const now = port.now();
  const prepared = prepareAnswer(given);
  const byRun = acceptAnswer(run, prepared.answer, { now, via: 'update' });
  const byClient = judgeBySnapshot(snapshotOf(run, transcript), prepared, now);
  return {
    run: byRun.ok ? 'accepted' : byRun.error,
    client: byClient.is === 'refused' ? byClient.error : byClient.is,
  };
}

function expectBoth(at: Scene, given: unknown, type: ErrorType, message: RegExp, data: object): void {
  const { run, client } = refusals(at, given);
  expect(run).toEqual(holdpointError(type, message, data));
  expect(client).toEqual(run);
}

test('R29: whoever comes second is told who answered, and when, by run and client alike', async () => {
  const at = await relayScene('a');
  const first = { ...answerOutput(at.requestId, 'x'), by: 'ann@shop.example' };
  const accepted = acceptAnswer(at.run, first, { now: at.port.now(), via: 'signal' });
  if (!accepted.ok) throw accepted.error;
  const { at: when } = accepted.receipt;
  const message = new RegExp(`was answered by "ann@shop.example" at ${when}\\. The first answer stands\\.$`);
  const second = answerOutput(at.requestId, 'secret');
  const data = { receipt: accepted.receipt, requestId: at.requestId, dataKeys: ['output'] };
  expectBoth(at, second, 'Holdpoint.Answer.AlreadyAnswered', message, data);
  await at.go();
  expectBoth(at, second, 'Holdpoint.Answer.AlreadyAnswered', message, data);
});

test('R29: without a name the refusal says only when', async () => {
  const at = await relayScene('a');
  acceptAnswer(at.run, answerOutput(at.requestId, 'x'), { now: at.port.now(), via: 'signal' });
  const second = answerOutput(at.requestId, 'y');
  expectBoth(at, second, 'Holdpoint.Answer.AlreadyAnswered', /" was answered at \d{4}-.*Z\. /, {});
});

test('R29: a run that has ended says how, and what never was is unknown, by run and client alike', async () => {
  const at = await relayScene('a');
  const unknown = answerOutput('elsewhere', 'x');
  expectBoth(at, unknown, 'Holdpoint.Answer.UnknownRequest', /has no request "elsewhere"/, {});
  at.run.stop = { for: 'cancel' };
  await at.go();
  const { runId } = at.run;
  const late = answerOutput(at.requestId, 'x');
  expectBoth(at, late, 'Holdpoint.Answer.RunClosed', /it ended as cancelled\. Read .*`get`/, { runId });
  expectBoth(at, unknown, 'Holdpoint.Answer.RunClosed', /it ended as cancelled/, { runId });
});
