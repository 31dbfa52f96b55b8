import type { Receipt } from '../agent/receipt';
import type { RunResult } from '../agent/result';
import type { ClientContext } from './client-context';
import { checkCallOptions } from './call-options';
import { abandonAsk, closeConversation, prepareAsk, queueAsk, type Ask } from './conversations';
import { answerAll } from './answer-all';
import { prepareContinuation } from './continue-run';
import { eraseRun } from './erase';
import type { HoldpointClient } from './holdpoint-client';
import { conversationTarget, runTarget, type Scope, type Target, shownId } from './ids';
import { listRunPage, listRuns } from './lists';
import { listOpenRequests } from './open-requests';
import { operate, type Operation } from './operation';
import type { AnswerTarget, ResultOptions } from './options';
import { prepareAnswer } from './prepared-answer';
import { awaitResult, readNow } from './read-result';
import { checkUserInput } from './run-input';
import { describeRun } from './run-description';
import { runEvents } from './run-events';
import { ownIds } from './scope';
import { sendBySignal, sendByUpdate } from './send-answer';
import { prepareStart, startRun, type Start, type Started } from './start-run';
import { addMessage, cancelRun, noteRefusal, revokeApproval } from './steer-run';
import { translateWith } from './translate-with';
import type { WaitGoal } from './wait-for-run';
import type { WaitLimit } from './wait-limit';

/** Everything that a client does, but for its connection. */
export type Methods = Omit<
  HoldpointClient,
  'temporal' | 'forTenant' | 'disconnect' | typeof Symbol.asyncDispose
>;

/** Each method checks what it was given, says what it is about, and hands over to the file of its idea. */
export function clientMethods(context: ClientContext): Methods {
  const { scope } = context;
  const own = <T extends { readonly runId: string }>(value: T): T => ownIds(context, value);
  const startAndWait = async (start: Start, options: ResultOptions, limit: WaitLimit): Promise<RunResult> => {
    const started = await startRun(context, start, limit);
    return own(await awaitResult(context, started.target, startGoal(started), options, limit));
  };
  return {
    async run(agent, input, options = {}) {
      checkCallOptions('run', options);
      const start = prepareStart(context, agent, input, options);
      const operation = { ...waiting(start.target), exists: 'no' } as const;
      return operate(context, operation, options, (limit) => startAndWait(start, options, limit));
    },

    async start(agent, input, options = {}) {
      checkCallOptions('start', options);
      const start = prepareStart(context, agent, input, options);
      const operation = { ...calling(start.target, 'start'), exists: 'no' } as const;
      const { target, executionId } = await operate(context, operation, options, (limit) =>
        startRun(context, start, limit),
      );
      return own({ runId: target.runId, isNew: executionId !== undefined });
    },

    async get(runId, options = {}) {
      checkCallOptions('get', options);
      const target = runTarget(runId, scope);
      return operate(context, calling(target, 'say where it stands'), options, async (limit) =>
        own(await readNow(context, target, options, limit)),
      );
    },

    events: ((runId, options = {}) => {
      checkCallOptions('events', options);
      return runEvents(context, runTarget(runId, scope), options);
    }) as HoldpointClient['events'],

    async result(runId, options = {}) {
      checkCallOptions('result', options);
      const target = runTarget(runId, scope);
      return operate(context, { ...waiting(target), goal: 'end' }, options, async (limit) =>
        own(await awaitResult(context, target, { until: 'end' }, options, limit)),
      );
    },

    async waitForHalt(runId, options = {}) {
      checkCallOptions('waitForHalt', options);
      const target = runTarget(runId, scope);
      return operate(context, waiting(target), options, async (limit) =>
        own(await awaitResult(context, target, { until: 'halt' }, options, limit)),
      );
    },

    async runWithAnswer(runId, answer, options = {}) {
      checkCallOptions('runWithAnswer', options);
      const target = runTarget(runId, scope);
      const prepared = prepareAnswer(answer);
      return operate(context, answering(target), options, async (limit) =>
        own(await sendBySignal(context, target, prepared, options, limit)),
      );
    },

    async answer(whose, answer, options = {}): Promise<Receipt> {
      checkCallOptions('answer', options);
      const target = targetOf(whose, scope);
      const prepared = prepareAnswer(answer);
      const operation = { ...calling(target, 'take the answer'), remedy: RESEND };
      return operate(context, operation, options, (limit) => sendByUpdate(context, target, prepared, limit));
    },

    async answerAll(runId, answers, options = {}) {
      checkCallOptions('answerAll', options);
      const target = runTarget(runId, scope);
      const operation = { ...calling(target, 'take the answers'), remedy: RESEND };
      return operate(context, operation, options, (limit) => answerAll(context, target, answers, limit));
    },

    async revokeApproval(runId, tool, options = {}) {
      checkCallOptions('revokeApproval', options);
      const target = runTarget(runId, scope);
      const { by, path } = options;
      const input = { tool, ...(by !== undefined && { by }), ...(path !== undefined && { path }) };
      return operate(context, calling(target, 'take the approval back'), options, (limit) =>
        revokeApproval(context, target, input, limit),
      );
    },

    async noteRefusal(whose, note, options = {}) {
      checkCallOptions('noteRefusal', options);
      const target = targetOf(whose, scope);
      await operate(context, calling(target, 'note the refusal'), options, (limit) =>
        noteRefusal(context, target, note, limit),
      );
    },

    async ask(agent, conversationId, text, options = {}) {
      checkCallOptions('ask', options);
      const ask = prepareAsk(context, agent, conversationId, text, options);
      const operation: { target?: Target } & Operation = { ...asking(ask), ...LOOK_FIRST };
      return operate(context, operation, options, async (limit) => {
        const { target } = await queueAsk(context, ask, limit);
        Object.assign(operation, waiting(target));
        return own(await awaitResult(context, target, { until: 'halt', queued: true }, options, limit));
      });
    },

    async startAsk(agent, conversationId, text, options = {}) {
      checkCallOptions('startAsk', options);
      const ask = prepareAsk(context, agent, conversationId, text, options);
      const operation = { ...calling(ask.target, 'take the ask'), exists: 'perhaps', ...LOOK_FIRST } as const;
      const { target, position } = await operate(context, operation, options, (limit) =>
        queueAsk(context, ask, limit),
      );
      return own({ runId: target.runId, position });
    },

    async askWithAnswer(conversationId, answer, options = {}) {
      checkCallOptions('askWithAnswer', options);
      const target = conversationTarget(conversationId, scope);
      const prepared = prepareAnswer(answer);
      return operate(context, answering(target), options, async (limit) =>
        own(await sendBySignal(context, target, prepared, options, limit)),
      );
    },

    async continue(runId, text, options = {}) {
      checkCallOptions('continue', options);
      const target = runTarget(runId, scope);
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

    async listPage(filter = {}) {
      checkCallOptions('listPage', filter);
      return operate(context, LISTING, filter, (limit) => listRunPage(context, filter, limit));
    },

    async describe(whose, options = {}) {
      checkCallOptions('describe', options);
      const target = targetOf(whose, scope);
      return operate(context, calling(target, 'be looked up'), options, async (limit) => {
        const { open, status, firstExecutionId } = await describeRun(context, target.workflowId, limit);
        return { open, status, firstExecutionId };
      });
    },

    async cancel(runId, options = {}) {
      checkCallOptions('cancel', options);
      const target = runTarget(runId, scope);
      await operate(context, calling(target, 'take the cancellation'), options, (limit) =>
        cancelRun(context, target, limit),
      );
    },

    async addMessage(runId, message, options = {}) {
      checkCallOptions('addMessage', options);
      const target = runTarget(runId, scope);
      const input = checkUserInput(message);
      await operate(context, calling(target, 'take the message'), options, (limit) =>
        addMessage(context, target, input, limit),
      );
    },

    async abandon(conversationId, reason, options = {}) {
      checkCallOptions('abandon', options);
      const target = conversationTarget(conversationId, scope);
      await operate(context, calling(target, 'abandon its ask'), options, (limit) =>
        abandonAsk(context, target, reason, limit),
      );
    },

    async close(conversationId, options = {}) {
      checkCallOptions('close', options);
      const target = conversationTarget(conversationId, scope);
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
const LOOK_FIRST = {
  remedy: 'Its message may be queued all the same: look with `list` before you ask again.',
};
const LISTING: Operation = { goal: 'get its list', remedy: 'Ask again.' };

function startGoal({ executionId }: Started): WaitGoal {
  return { until: 'halt', ...(executionId !== undefined && { startedAs: executionId }) };
}

function waiting(target: Target): Operation {
  const { runId } = target;
  const how = runId === undefined ? '`waitForHalt`' : `\`waitForHalt("${shownId(runId)}")\``;
  return {
    target,
    waits: true,
    goal: 'halt or end',
    remedy: `It goes on untouched: wait again with ${how}.`,
  };
}

/** Until it is queued the ask has no id of its own. */
function asking({ target }: Ask): Operation {
  return { ...waiting(target), exists: 'perhaps' };
}

function targetOf(whose: AnswerTarget, scope: Scope | undefined): Target {
  return typeof whose === 'string'
    ? runTarget(whose, scope)
    : conversationTarget(whose.conversationId, scope);
}

function answering(target: Target): Operation {
  return { ...waiting(target), remedy: `It goes on untouched. ${RESEND}` };
}

function calling(target: Target, goal: string): Operation {
  return { target, goal, remedy: 'Call again.' };
}
