import { HoldpointError } from '../agent/errors';
import type { Message, UserMessage } from '../agent/message';
import { isTenantName } from '../agent/tenant';
import type { ClientContext } from './client-context';
import { nameOf, type RunTarget } from './ids';
import type { ContinueOptions } from './options';
import { checkUserInput } from './run-input';
import { queryState } from './snapshot';
import { prepareStart, type Start } from './start-run';
import { readMessages, readPage } from './transcript-pages';
import type { WaitLimit } from './wait-limit';

/** The start of a run that goes on from the transcript of one that has ended (R36). */
export async function prepareContinuation(
  context: ClientContext,
  target: RunTarget,
  text: string | UserMessage | undefined,
  options: ContinueOptions,
  limit: WaitLimit,
): Promise<Start> {
  const added = text === undefined ? [] : [toMessage(checkUserInput(text))];
  const { status, agent, tenant, to } = await queryState(context, target, limit);
  if (status === 'running' || status === 'pending')
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      `${nameOf(target)} has not ended: it is ${status}. Send it a message with \`addMessage\`, or answer what it waits on.`,
      { runId: target.runId, status },
    );
  const messages = await readMessages(context, target, to, limit);
  const preamble = await readPage(context, target, -1, limit);
  // A tenant's run goes on as one of the tenant's, whoever says so.
  const scope = isTenantName(tenant) ? { tenant } : context.scope;
  return prepareStart({ ...context, ...(scope && { scope }) }, agent, [...messages, ...added], {
    ...options,
    ...(preamble.context !== undefined && { context: preamble.context }),
  });
}

function toMessage(input: string | UserMessage): Message {
  return typeof input === 'string' ? { role: 'user', content: input } : input;
}
