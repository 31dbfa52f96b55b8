import type { Receipt } from '../agent/receipt';
import type { RunResult } from '../agent/result';
import type { ClientContext } from './client-context';
import { checkCallOptions } from './call-options';
import { answerAll } from './answer-all';
import { abandonAsk, closeConversation, prepareAsk, queueAsk } from './conversations';
import { prepareContinuation } from './continue-run';
import { eraseRun } from './erase';
import type { HoldpointClient } from './holdpoint-client';
import { conversationTarget, runTarget, type Target } from './ids';
import { listRuns } from './lists';
import { listOpenRequests } from './open-requests';
import { operate, type Operation } from './operation';
import type { ResultOptions } from './options';
import { prepareAnswer } from './prepared-answer';
import { awaitResult, readNow } from './read-result';
import { checkUserInput } from './run-input';
import { runEvents } from './run-events';
import { sendBySignal, sendByUpdate } from './send-answer';
import { prepareStart, startRun, type Start, type Started } from './start-run';
import { addMessage, cancelRun, noteRefusal, revokeApproval } from './steer-run';
import { translateWith } from './translate-with';
import type { WaitGoal } from './wait-for-run';
import type { WaitLimit } from './wait-limit';

/** Everything that a client does, but for its connection. */
export type Methods = Omit<HoldpointClient, 'temporal' | 'disconnect' | typeof Symbol.asyncDispose>;

/** Each method checks what it was given, says what it is about, and hands over to the file of its idea. */
export function clientMethods(context: ClientContext): Methods {
  const startAndWait = async (start: Start, options: ResultOptions, limit: WaitLimit): Promise<RunResult> => {
    const started = await startRun(context, start, limit);
    return awaitResult(context, started.target, startGoal(started), options, limit);
  };
  return {
    async run(agent, input, options = {}) {
      checkCallOptions('run', options);
      const start = prepareStart(agent, input, options);
      return operate(context, waiting(start.target), options, (limit) => startAndWait(start, options, limit));
    },

    async start(agent, input, options = {}) {
      checkCallOptions('start', options);
      const start = prepareStart(agent, input, options);
      const { target } = await operate(context, calling(start.target, 'start'), options, (limit) =>
        startRun(context, start, limit),
      );
      return { runId: target.runId };
    },

    async get(runId, options = {}) {
      checkCallOptions('get', options);
      const target = runTarget(runId);
      return operate(context, calling(target, 'say where it stands'), options, (limit) =>
        readNow(context, target, options, limit),
      );
    },

    events(runId, options = {}) {
      checkCallOptions('events', options);
      return runEvents(context, runTarget(runId), options);
    },

    async result(runId, options = {}) {
      checkCallOptions('result', options);
      const target = runTarget(runId);
      return operate(context, { ...waiting(target), goal: 'end' }, options, (limit) =>
        awaitResult(context, target, { until: 'end' }, options, limit),
      );
    },

    async waitForHalt(runId, options = {}) {
      checkCallOptions('waitForHalt', options);
      const target = runTarget(runId);
      return operate(context, waiting(target), options, (limit) =>
        awaitResult(context, target, { until: 'halt' }, options, limit),
      );
    },

    async runWithAnswer(runId, answer, options = {}) {
      checkCallOptions('runWithAnswer', options);
      const target = runTarget(runId);
      const prepared = prepareAnswer(answer);
      return operate(context, answering(target), options, (limit) =>
        sendBySignal(context, target, prepared, options, limit),
      );
    },

    async answer(runId, answer, options = {}): Promise<Receipt> {
      checkCallOptions('answer', options);
      const target = runTarget(runId);
      const prepared = prepareAnswer(answer);
      const operation = { ...calling(target, 'take the answer'), remedy: RESEND };
      return operate(context, operation, options, (limit) => sendByUpdate(context, target, prepared, limit));
    },

    async answerAll(runId, answers, options = {}) {
      checkCallOptions('answerAll', options);
      const target = runTarget(runId);
      const operation = { ...calling(target, 'take the answers'), remedy: RESEND };
      return operate(context, operation, options, (limit) => answerAll(context, target, answers, limit));
    },

    async revokeApproval(runId, tool, options = {}) {
      checkCallOptions('revokeApproval', options);
      const target = runTarget(runId);
      const { by } = options;
      const input = { tool, ...(by !== undefined && { by }) };
      return operate(context, calling(target, 'take the approval back'), options, (limit) =>
        revokeApproval(context, target, input, limit),
      );
    },

    async noteRefusal(runId, note, options = {}) {
      checkCallOptions('noteRefusal', options);
      const target = runTarget(runId);
      await operate(context, calling(target, 'note the refusal'), options, (limit) =>
        noteRefusal(context, target, note, limit),
      );
    },

    async ask(agent, conversationId, text, options = {}) {
      checkCallOptions('ask', options);
      const ask = prepareAsk(agent, conversationId, text, options);
      // Until it is queued the ask has no id of its own.
      const operation: { target?: Target } & Operation = { ...waiting(ask.target), remedy: LOOK_FIRST };
      return operate(context, operation, options, async (limit) => {
        const target = await queueAsk(context, ask, limit);
        Object.assign(operation, waiting(target));
        return awaitResult(context, target, { until: 'halt', queued: true }, options, limit);
      });
    },

    async askWithAnswer(conversationId, answer, options = {}) {
      checkCallOptions('askWithAnswer', options);
      const target = conversationTarget(conversationId);
      const prepared = prepareAnswer(answer);
      return operate(context, answering(target), options, (limit) =>
        sendBySignal(context, target, prepared, options, limit),
      );
    },

    async continue(runId, text, options = {}) {
      checkCallOptions('continue', options);
      const target = runTarget(runId);
      const operation: { target?: Target } & Operation = waiting(target);
      return operate(context, operation, options, async (limit) => {
        const start = await prepareContinuation(context, target, text, options, limit);
        Object.assign(operation, waiting(start.target));
        return startAndWait(start, options, limit);
      });
    },

    async requests(filter = {}) {
      checkCallOptions('requests', filter);
      return operate(context, LISTING, filter, (limit) => listOpenRequests(context, filter, limit));
    },

    async list(filter = {}) {
      checkCallOptions('list', filter);
      return operate(context, LISTING, filter, (limit) => listRuns(context, filter, limit));
    },

    async cancel(runId, options = {}) {
      checkCallOptions('cancel', options);
      const target = runTarget(runId);
      await operate(context, calling(target, 'take the cancellation'), options, (limit) =>
        cancelRun(context, target, limit),
      );
    },

    async addMessage(runId, message, options = {}) {
      checkCallOptions('addMessage', options);
      const target = runTarget(runId);
      const input = checkUserInput(message);
      await operate(context, calling(target, 'take the message'), options, (limit) =>
        addMessage(context, target, input, limit),
      );
    },

    async abandon(conversationId, reason, options = {}) {
      checkCallOptions('abandon', options);
      const target = conversationTarget(conversationId);
      await operate(context, calling(target, 'abandon its ask'), options, (limit) =>
        abandonAsk(context, target, reason, limit),
      );
    },

    async close(conversationId, options = {}) {
      checkCallOptions('close', options);
      const target = conversationTarget(conversationId);
      await operate(context, calling(target, 'close'), options, (limit) =>
        closeConversation(context, target, limit),
      );
    },

    async erase(what, options = {}) {
      checkCallOptions('erase', options);
      const operation = { goal: 'erase it', remedy: 'Erase it again: what is gone already does no harm.' };
      await operate(context, operation, options, (limit) => eraseRun(context, what, limit));
    },

    async translate(request, options = {}) {
      checkCallOptions('translate', options);
      return translateWith(context.model, request, options);
    },
  };
}

const RESEND = 'Send the same answer again: it counts once.';
const LOOK_FIRST = 'Its message may be queued all the same: look with `list` before you ask again.';
const LISTING: Operation = { goal: 'get its list', remedy: 'Ask again.' };

function startGoal({ executionId }: Started): WaitGoal {
  return { until: 'halt', ...(executionId !== undefined && { startedAs: executionId }) };
}

function waiting(target: Target): Operation {
  const { runId } = target;
  const how = runId === undefined ? '`waitForHalt`' : `\`waitForHalt("${runId}")\``;
  return {
    target,
    waits: true,
    goal: 'halt or end',
    remedy: `It goes on untouched: wait again with ${how}.`,
  };
}

function answering(target: Target): Operation {
  return { ...waiting(target), remedy: `It goes on untouched. ${RESEND}` };
}

function calling(target: Target, goal: string): Operation {
  return { target, goal, remedy: 'Call again.' };
}
