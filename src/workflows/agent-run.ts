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
import { HoldpointError } from '../agent/errors';
import { fitsTogether, MAX_INPUT_BYTES } from '../agent/intake';
import { isRecord } from '../agent/json';
import { newRun, toInputMessages, toLimits } from '../agent/new-run';
import type { Receipt } from '../agent/receipt';
import type { RunOutcome } from '../agent/result';
import { outcomeOf } from '../agent/run-result';
import {
  QUERY_STATE,
  QUERY_TRANSCRIPT,
  SIGNAL_ADD_MESSAGE,
  SIGNAL_RUN_WITH_ANSWER,
  UPDATE_ANSWER,
  type AgentRunInput,
  type CarriedState,
  type RunSnapshot,
  type TranscriptPage,
} from '../agent/wire';
import { RunHost, toFailure } from './run-host';
import { snapshotOf } from './snapshot';
import { transcriptPage } from './transcript-page';

export const runWithAnswerSignal = defineSignal<[unknown]>(SIGNAL_RUN_WITH_ANSWER);
export const addMessageSignal = defineSignal<[unknown]>(SIGNAL_ADD_MESSAGE);
export const answerUpdate = defineUpdate<Receipt, [unknown]>(UPDATE_ANSWER);
export const stateQuery = defineQuery<RunSnapshot | null>(QUERY_STATE);
export const transcriptQuery = defineQuery<TranscriptPage, [unknown]>(QUERY_TRANSCRIPT);

/** The ways into a host that runs and conversations share. Registered before the first await. */
export function registerHandlers(host: RunHost): void {
  setHandler(runWithAnswerSignal, (raw) => host.onAnswerSignal(raw));
  setHandler(addMessageSignal, (raw) => host.onMessageSignal(raw));
  setHandler(answerUpdate, (raw) => host.onAnswerUpdate(raw), {
    validator: (raw) => host.validateAnswer(raw),
  });
  setHandler(transcriptQuery, (raw) => transcriptPage(host.run, host.transcript, raw));
}

/** One run of an agent. It ends Completed, Failed (`Holdpoint.Run.Failed`) or Canceled (R35). */
export async function agentRun(input: AgentRunInput, carried?: CarriedState): Promise<RunOutcome> {
  const host = new RunHost(carried);
  const run = (host.run ??= startRun(host, input));
  registerHandlers(host);
  setHandler(stateQuery, () => snapshotOf(run, host.transcript));
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

function startRun(host: RunHost, input: AgentRunInput): NonNullable<RunHost['run']> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  try {
    const { agent, context, tenant } = checkedInput(input);
    const messages = toInputMessages(input.input);
    if (!fitsTogether(messages))
      throw new HoldpointError(
        'Holdpoint.Run.InvalidInput',
        `A run starts with at most ${MAX_INPUT_BYTES} bytes of messages. Keep large values elsewhere and pass a reference.`,
      );
    host.transcript.entries.push(...messages.map((message) => ({ message })));
    return newRun({
      runId: workflowId,
      agent,
      seed: firstExecutionRunId,
      from: 0,
      now: Date.now(),
      limits: toLimits(input.limits),
      context,
      tenant,
    });
  } catch (error) {
    throw error instanceof HoldpointError ? toFailure(error) : error;
  }
}

/** Any SDK can start a run, so nothing is taken for granted. */
export function checkedInput<T extends { readonly agent: string; readonly tenant?: string }>(input: T): T {
  const raw: unknown = input;
  if (!isRecord(raw))
    throw new HoldpointError('Holdpoint.Run.InvalidInput', 'Expected an input object {agent, …}.');
  if (typeof raw['agent'] !== 'string' || raw['agent'] === '')
    throw new HoldpointError('Holdpoint.Run.InvalidInput', "Expected `agent` to be an agent's name.");
  if (raw['tenant'] !== undefined && typeof raw['tenant'] !== 'string')
    throw new HoldpointError('Holdpoint.Run.InvalidInput', 'Expected `tenant` to be a string.');
  return input;
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
