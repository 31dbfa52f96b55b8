import { HoldpointError } from '../agent/errors';
import { isUndecodable } from '../agent/undecodable';
import { nameOf, type Target } from './ids';

/**
 * What a run said, unless this client lacks what it takes to read it: the marker would pass for data. Throws
 * `Holdpoint.Data.Unreadable`.
 */
export function readable<T>(said: T, target: Target): T {
  if (!isUndecodable(said)) return said;
  const how = said.encoding === '' ? 'without naming an encoding' : `in the encoding "${said.encoding}"`;
  throw new HoldpointError(
    'Holdpoint.Data.Unreadable',
    `${nameOf(target)} answered ${how}, which this client cannot read. ${said.reason} Give \`createClient\` the \`payloadCodecs\` and the \`payloadStore\` that the workers have.`,
    { workflowId: target.workflowId },
  );
}

/** Whether the codecs, or the store, that would be needed are missing or away. */
export function isUnreadable(error: unknown): error is HoldpointError {
  return (
    error instanceof HoldpointError &&
    (error.type === 'Holdpoint.Data.Unreadable' || error.type === 'Holdpoint.Data.Unavailable')
  );
}
