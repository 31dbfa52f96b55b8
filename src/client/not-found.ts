import { HoldpointError } from '../agent/errors';
import { nameOf, type Target } from './ids';

/** No such run or conversation in this namespace. */
export function notFound(target: Target, namespace: string, cause?: unknown): HoldpointError {
  const { runId, conversationId } = target;
  return new HoldpointError(
    runId !== undefined ? 'Holdpoint.Run.NotFound' : 'Holdpoint.Conversation.NotFound',
    `${nameOf(target)} is not in namespace "${namespace}": it was never started, was erased, or ended longer ago than is kept.`,
    { ...(runId !== undefined && { runId }), ...(conversationId !== undefined && { conversationId }) },
    { cause },
  );
}
