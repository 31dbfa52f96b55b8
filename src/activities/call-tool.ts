import { Context } from '@temporalio/activity';
import { HoldpointError, errorMessage } from '../agent/errors';
import { idempotencyKeyOf } from '../agent/ids';
import { toolMessage } from '../agent/message';
import { toProgress } from '../agent/progress';
import type { ToolOutcome } from '../agent/run-state';
import type { CallToolInput } from '../agent/wire';
import { executeCall, type ExecuteCallOptions } from '../tools/execute-call';
import { MAX_STORED_RESULT_BYTES } from '../tools/tool-result';
import { toApplicationFailure } from './failures';
import { withHeartbeats, type Heartbeats } from './heartbeats';
import { agentOf, transcriptSource, type Services } from './services';

/** The activity `callTool`: one step of one call. */
export function createCallTool(services: Services): (input: CallToolInput) => Promise<ToolOutcome> {
  return (input) => {
    const context = Context.current();
    return withHeartbeats(context, async (heartbeats) => {
      const options = await prepared(services, context, heartbeats, input);
      const outcome = await executed(context, options);
      return concluded(services, context, input, outcome);
    });
  };
}

/** A call without a result is a failure of its activity: the run's own policy says whether it is tried again (R33). */
async function executed(context: Context, options: ExecuteCallOptions): Promise<ToolOutcome> {
  try {
    return await executeCall(options);
  } catch (error) {
    context.cancellationSignal.throwIfAborted();
    throw toApplicationFailure(error, 'Holdpoint.Tool.OutcomeUnknown');
  }
}

/** Everything up to the moment the tool is touched: what fails here may be done again by another worker. */
async function prepared(
  services: Services,
  context: Context,
  heartbeats: Heartbeats,
  { run, call, mode, edited, answer, round, result, timeoutMs }: CallToolInput,
): Promise<ExecuteCallOptions> {
  const { cancellationSignal: signal, info } = context;
  try {
    const agent = agentOf(services, run.agent);
    const tool = agent.tools.find(({ name }) => name === call.name);
    if (!tool && mode !== 'after')
      throw new Error(`agent ${agent.name} has no tool "${call.name}" on this worker`);
    const source = transcriptSource(services, context);
    return {
      tool,
      name: call.name,
      hooks: services.hooks,
      arguments: await source.arguments(call.arguments),
      input: call.input,
      mode,
      edited,
      answer,
      round,
      result,
      timeoutMs,
      ...(services.stored && { maxResultBytes: MAX_STORED_RESULT_BYTES }),
      ctx: {
        runId: run.runId,
        ...(run.conversationId !== undefined && { conversationId: run.conversationId }),
        agent: agent.name,
        turn: run.turn,
        context: await source.context(run),
        callId: call.id,
        attempt: info.attempt,
        idempotencyKey: idempotencyKeyOf(run.seed, run.turn, call.index),
        signal,
        reportProgress: (...told) => {
          const progress = toProgress(...told, Date.now());
          if (progress) heartbeats.note({ progress: { ...progress } });
        },
        now: Date.now(),
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toApplicationFailure(
      new HoldpointError(
        'Holdpoint.Tool.NotStarted',
        `The call of ${call.name} was not started: ${errorMessage(error)}`,
        { tool: call.name },
        { cause: error },
      ),
      'Holdpoint.Tool.NotStarted',
    );
  }
}

/** The outcome as the run takes it, its message kept here under the digest that the run will name it by. */
function concluded(
  { cache }: Services,
  context: Context,
  { call }: CallToolInput,
  outcome: ToolOutcome,
): ToolOutcome {
  refuseInterrupted(context, outcome);
  if (outcome.is !== 'result') return outcome;
  return { ...outcome, digest: cache.putMessage(toolMessage(call.id, outcome.result.output)) };
}

/**
 * What an aborted tool reports is how it was interrupted. When nobody cancelled the call and its worker shuts
 * down, the model must not read that as the tool's answer: the outcome is unknown (R33).
 */
function refuseInterrupted({ cancellationSignal, cancellationDetails }: Context, outcome: ToolOutcome): void {
  if (!cancellationSignal.aborted || cancellationDetails?.cancelRequested) return;
  if (outcome.is === 'cancelled' || (outcome.is === 'result' && outcome.result.isError))
    cancellationSignal.throwIfAborted();
}
