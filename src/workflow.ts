/**
 * For users who write workflows of their own. Code here runs in the workflow sandbox: it may not import
 * anything that does I/O.
 *
 * @module holdpoint/workflow
 */
import { CancelledFailure } from '@temporalio/common';
import { CancellationScope, setHandler, workflowInfo } from '@temporalio/workflow';
import { HoldpointError } from './agent/errors';
import type { Json } from './agent/json';
import type { Limits } from './agent/limits';
import type { Message } from './agent/message';
import { newRun } from './agent/new-run';
import type { RunResult } from './agent/result';
import { asReply } from './agent/reply-mark';
import { resultOf } from './agent/run-result';
import { toRunStart } from './agent/start-input';
import { registerHandlers, stateQuery } from './workflows/agent-run';
import { fitted } from './workflows/fitted';
import { toFailure, typed } from './workflows/failures';
import { RunHost } from './workflows/run-host';
import { snapshotOf } from './workflows/snapshot';

export { agentConversation, agentNotify, agentRun } from './workflows';
export {
  answerUpdate,
  addMessageSignal,
  runWithAnswerSignal,
  stateQuery,
  transcriptQuery,
} from './workflows/agent-run';
export type { RunResult } from './agent/result';

/** Options of {@link runAgent}. */
export interface RunAgentOptions {
  /** The name of an agent that the worker has. */
  readonly agent: string;
  /** A user's text, or a whole transcript to go on from. */
  readonly input: string | readonly Message[];
  /** Seen by tools and hooks, never by the model. */
  readonly context?: Json;
  /** Override the agent's own, one by one. */
  readonly limits?: Limits;
}

let embedded = 0;
let running = false;

/**
 * Runs an agent inside the calling workflow: its turns and tool calls are this workflow's activities, its
 * requests are answered through this workflow's id. One at a time. It does not continue as new: that is
 * the workflow's own business, between runs. Cancelling the enclosing scope cancels the run.
 *
 * ```ts
 * const result = await runAgent({ agent: 'refund-desk', input: 'Refund order 1047' });
 * if (result.status === 'done') await ship(result.text);
 * ```
 *
 * @returns the result, whatever its status
 * @throws ApplicationFailure `Holdpoint.Run.InvalidInput`; CancelledFailure once the scope is cancelled
 */
export async function runAgent(options: RunAgentOptions): Promise<RunResult> {
  if (running)
    throw invalid('This workflow runs an agent already. Await the first `runAgent` before the next.');
  const { workflowId, runId } = workflowInfo();
  embedded += 1;
  const host = new RunHost(undefined, { embedded: true });
  const run = newEmbeddedRun(host, options, workflowId, `${runId}.${embedded}`);
  host.run = run;
  registerHandlers(host);
  setHandler(stateQuery, () => asReply(fitted(snapshotOf(run, host.transcript))));
  const cancelled = CancellationScope.current().cancelRequested;
  running = true;
  try {
    await CancellationScope.nonCancellable(async () => {
      cancelled.catch(() => host.stop(run, { for: 'cancel' }));
      await host.drive(run);
      host.publish(run, run.status);
    });
  } finally {
    running = false;
  }
  if (run.stop?.for === 'cancel') throw new CancelledFailure('The run was cancelled.');
  return resultOf(run, host.transcript);
}

function newEmbeddedRun(host: RunHost, options: RunAgentOptions, runId: string, seed: string) {
  const { messages, ...start } = typed(() => toRunStart(options));
  host.transcript.entries.push(...messages.map((message) => ({ message })));
  return newRun({ runId, seed, from: 0, now: Date.now(), ...start });
}

function invalid(message: string): Error {
  return toFailure(new HoldpointError('Holdpoint.Run.InvalidInput', message));
}
