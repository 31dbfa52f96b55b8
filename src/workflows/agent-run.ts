import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  makeContinueAsNewFunc,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isRecord } from '../agent/json';
import { newRun } from '../agent/new-run';
import type { Receipt } from '../agent/receipt';
import { asReply } from '../agent/reply-mark';
import type { RunOutcome } from '../agent/result';
import { outcomeOf } from '../agent/run-result';
import { toRunStart } from '../agent/start-input';
import {
  QUERY_STATE,
  QUERY_TRANSCRIPT,
  SIGNAL_ADD_MESSAGE,
  SIGNAL_CHILD_REPORT,
  SIGNAL_NOTE_REFUSAL,
  SIGNAL_REVOKE,
  SIGNAL_RUN_WITH_ANSWER,
  UPDATE_ANSWER,
  UPDATE_REVOKE,
  type AgentRunInput,
  type CarriedState,
  type RunSnapshot,
  type TranscriptPage,
} from '../agent/wire';
import { fitted } from './fitted';
import { typed } from './failures';
import { afterFirstTask } from './first-task';
import { handedOn } from './handed-on';
import { RunHost } from './run-host';
import { snapshotOf } from './snapshot';
import { transcriptPage } from './transcript-page';

/** `runWithAnswer`: an answer to an open request; refused ones show in `state`. */
export const runWithAnswerSignal = defineSignal<[unknown, unknown?]>(SIGNAL_RUN_WITH_ANSWER);
/** `childReport`: what a sub-agent waits on. */
export const childReportSignal = defineSignal<[unknown]>(SIGNAL_CHILD_REPORT);
/** `addMessage`: a user's message to a run that goes on (R41). */
export const addMessageSignal = defineSignal<[unknown]>(SIGNAL_ADD_MESSAGE);
/** `answer`: an answer to an open request; its sender gets the receipt or the reason (R29). */
export const answerUpdate = defineUpdate<Receipt, [unknown]>(UPDATE_ANSWER);
/** `noteRefusal`: an attempt that an API refused, for the record. */
export const noteRefusalSignal = defineSignal<[unknown]>(SIGNAL_NOTE_REFUSAL);
/** `revoke`: takes back an approval of all calls of a tool, at the outermost run; a sub-agent's gets the signal. */
export const revokeSignal = defineSignal<[unknown]>(SIGNAL_REVOKE);
export const revokeUpdate = defineUpdate<{ readonly revoked: boolean }, [unknown]>(UPDATE_REVOKE);
/** `state`: where the run stands; null before a conversation's first ask. */
export const stateQuery = defineQuery<RunSnapshot | null>(QUERY_STATE);
/** `transcript`: one page of the run's messages, `{from, maxBytes}`. */
export const transcriptQuery = defineQuery<TranscriptPage, [unknown]>(QUERY_TRANSCRIPT);

/** The ways into a host that runs and conversations share. Registered before the first await. */
export function registerHandlers(host: RunHost): void {
  setHandler(runWithAnswerSignal, (raw, way) =>
    host.onAnswerSignal(raw, isRecord(way) && way['forwarded'] === true),
  );
  setHandler(childReportSignal, (raw) => host.onChildReport(raw));
  setHandler(addMessageSignal, (raw) => host.onMessageSignal(raw));
  setHandler(answerUpdate, (raw) => host.onAnswerUpdate(raw), {
    validator: afterFirstTask((raw) => host.validateAnswer(raw)),
  });
  setHandler(noteRefusalSignal, (raw) => host.onRefusalSignal(raw));
  setHandler(revokeSignal, (raw) => host.onRevokeSignal(raw));
  setHandler(revokeUpdate, (raw) => host.onRevoke(raw));
  setHandler(transcriptQuery, (raw) => asReply(transcriptPage(host.run, host.transcript, raw)));
}

/** One run of an agent. It ends Completed, Failed (`Holdpoint.Run.Failed`) or Canceled (R35). */
export async function agentRun(input: AgentRunInput, carried?: CarriedState): Promise<RunOutcome> {
  const host = new RunHost(typed(() => handedOn(carried)));
  const run = (host.run ??= typed(() => startRun(host, input)));
  registerHandlers(host);
  setHandler(stateQuery, () => asReply(fitted(snapshotOf(run, host.transcript))));
  const cancelled = CancellationScope.current().cancelRequested;
  return CancellationScope.nonCancellable(async () => {
    cancelled.catch(() => host.stop(run, { for: 'cancel' }));
    while ((await host.drive(run)) === 'carry') {
      if (await host.readyToCarry()) {
        // What the first execution was started with stays in its own history.
        const { tenant } = run;
        // Left to itself the server would bring back the memo of the start.
        await makeContinueAsNewFunc<typeof agentRun>({ memo: workflowInfo().memo ?? {} })(
          { agent: run.agent, input: '', ...(tenant && { tenant }) },
          host.carry(),
        );
      }
    }
    host.publishEnd(run, run.status);
    return endRun(outcomeOf(run));
  });
}

function startRun(host: RunHost, input: unknown): NonNullable<RunHost['run']> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const { messages, ...start } = toRunStart(input);
  host.transcript.entries.push(...messages.map((message) => ({ message })));
  return newRun({ runId: workflowId, seed: firstExecutionRunId, from: 0, now: Date.now(), ...start });
}

function endRun(outcome: RunOutcome): RunOutcome {
  if (outcome.status === 'cancelled') throw new CancelledFailure('The run was cancelled.');
  if (outcome.status === 'failed')
    throw ApplicationFailure.create({
      type: 'Holdpoint.Run.Failed',
      message: outcome.error?.message ?? 'The run failed.',
      nonRetryable: true,
      details: [outcome],
    });
  return outcome;
}
