import { CancelledFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineUpdate,
  makeContinueAsNewFunc,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { asReply } from '../agent/reply-mark';
import { toConversationStart } from '../agent/start-input';
import {
  CONVERSATION_PREFIX,
  DEFAULT_IDLE_TTL_MS,
  UPDATE_ABANDON,
  UPDATE_ASK,
  UPDATE_CANCEL,
  UPDATE_CLOSE,
  type AgentConversationInput,
  type AskReceipt,
  type CarriedState,
  type ConversationOutcome,
} from '../agent/wire';
import { registerHandlers, stateQuery } from './agent-run';
import { Conversation } from './conversation';
import { typed } from './failures';
import { afterFirstTask } from './first-task';
import { handedOn } from './handed-on';
import { TakenUpdates } from './taken-updates';
import { Timer } from './timer';

export const askUpdate = defineUpdate<AskReceipt, [unknown]>(UPDATE_ASK);
export const cancelUpdate = defineUpdate<void, [string]>(UPDATE_CANCEL);
export const abandonUpdate = defineUpdate<void, [string?]>(UPDATE_ABANDON);
export const closeUpdate = defineUpdate<void>(UPDATE_CLOSE);

/** Asks on one transcript, one after the other, until it is closed, idle for too long, or cancelled (R39, R40). */
export async function agentConversation(
  start: AgentConversationInput,
  carried?: CarriedState,
): Promise<ConversationOutcome> {
  const conversation = typed(() => openConversation(start, carried));
  const { host, kept, input } = conversation;
  const idle = new Timer(() => {
    conversation.close('idle', Date.now());
    host.changed();
  });
  registerHandlers(host);
  registerConversation(conversation);
  const cancelled = CancellationScope.current().cancelRequested;

  return CancellationScope.nonCancellable(async () => {
    cancelled.catch(() => {
      conversation.close('cancel', Date.now());
      host.changed();
    });
    for (;;) {
      const { open } = conversation;
      const run = open ?? conversation.startNext(Date.now());
      if (run) {
        idle.set(undefined);
        if (!open && kept.asks > 1) host.publishAttributes(run, 'running');
        if ((await host.drive(run)) === 'carry') {
          await carryOn(conversation);
          continue;
        }
        conversation.endAsk(run, Date.now());
        host.publish(run, kept.queue.length > 0 ? 'running' : 'idle');
      } else if (conversation.closedBy !== undefined) {
        break;
      } else if (host.shouldCarry() && host.fits()) {
        await carryOn(conversation);
      } else {
        idle.set(kept.idleSince + (input.idleTtlMs ?? DEFAULT_IDLE_TTL_MS));
        await host.wake.next();
      }
    }
    idle.set(undefined);
    if (host.run) host.publishEnd(host.run, 'idle');
    await condition(allHandlersFinished);
    const { closedBy } = conversation;
    if (closedBy === 'cancel') throw new CancelledFailure('The conversation was cancelled.');
    return { asks: kept.asks, closedBy };
  });
}

function openConversation(start: AgentConversationInput, carried?: CarriedState): Conversation {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const id = workflowId.startsWith(CONVERSATION_PREFIX)
    ? workflowId.slice(CONVERSATION_PREFIX.length)
    : workflowId;
  const state = handedOn(carried);
  // Read when it began: a start that a later version would refuse does not end an open conversation.
  const input = state ? start : toConversationStart(start);
  return new Conversation(id, firstExecutionRunId, input, state, Date.now());
}

/** What came meanwhile is in the state, so it is carried along; only a halted ask with something to do goes on. */
async function carryOn({ host, input }: Conversation): Promise<void> {
  if (!(await host.readyToCarry())) return;
  // Left to itself the server would bring back the memo of the start.
  await makeContinueAsNewFunc<typeof agentConversation>({ memo: workflowInfo().memo ?? {} })(
    input,
    host.carry(),
  );
}

function registerConversation(conversation: Conversation): void {
  const { host } = conversation;
  const taken = new TakenUpdates(conversation.kept);
  const carryOut = <T>(work: () => T): T => {
    host.countUpdate();
    const outcome = taken.once(work);
    host.changed();
    return outcome;
  };
  const validator = (judge: (raw: unknown) => void) =>
    afterFirstTask((raw) => taken.unlessTaken(() => typed(() => judge(raw))));
  const ask = (raw: unknown): AskReceipt =>
    typed(() => {
      conversation.validateAsk(raw);
      return conversation.ask(raw, Date.now());
    });
  setHandler(stateQuery, () => asReply(conversation.snapshot()));
  setHandler(askUpdate, (raw) => carryOut(() => ask(raw)), {
    validator: validator((raw) => conversation.validateAsk(raw)),
  });
  const cancel = (runId: string): void => {
    typed(() => conversation.validateCancel(runId));
    conversation.cancel(runId, Date.now());
    const { open } = conversation;
    // An ask that waited its turn has ended without a turn: whoever waits for it is to look again.
    if (open && open.runId !== runId) host.publish(open, open.status);
  };
  setHandler(cancelUpdate, (runId) => carryOut(() => cancel(runId)), {
    validator: validator((runId) => conversation.validateCancel(runId)),
  });
  setHandler(abandonUpdate, (reason) => carryOut(() => conversation.abandon(reason, Date.now())));
  setHandler(closeUpdate, () => carryOut(() => conversation.close('close', Date.now())));
}
