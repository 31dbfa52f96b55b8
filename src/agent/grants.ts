/** "Approve all calls of this tool in this run": one person's recorded decision about calls that are still to come. */
import { MAX_ID_LENGTH } from './answer';
import { applyVerdict } from './answers';
import { cutText } from './cut-text';
import { HoldpointError } from './errors';
import { isRecord } from './json';
import { callsWaitingOn } from './open-request';
import { mayAnswer, quorumOf } from './policy';
import { quote } from './refusal';
import type { Grant, OpenRequest, ParentRef, Revocation, RunState } from './run-state';

/** Passes every open approval that an earlier decision covers. Each gets a receipt of its own. */
export function applyGrants(run: RunState, now: number): void {
  for (const open of [...run.requests]) {
    const grant = grantFor(run, open);
    if (!grant) continue;
    const { by } = grant;
    const answer = { id: open.request.id, ok: true, ...(by !== undefined && { by }) };
    const steps = new Map(callsWaitingOn(run, answer.id).map((call) => [call, { is: 'pass' }] as const));
    applyVerdict(run, { is: 'accept', answer, open, steps }, { now, via: 'policy' });
  }
}

/** Only what the run itself asked before a call counts; where several must agree, each call is decided by itself. */
function grantFor(run: RunState, { purpose, request, guest }: OpenRequest): Grant | undefined {
  const { kind, data, policy } = request;
  if (guest || purpose !== 'hold' || kind !== 'approval' || quorumOf(policy) > 1) return undefined;
  return run.grants?.find(
    (grant) =>
      // One that was given for a sub-agent is for its calls alone.
      !grant.below && isStanding(run, grant) && grant.tool === data?.['tool'] && mayAnswer(policy, grant),
  );
}

/** Whether later calls still pass by it: one that was given inside a sub-agent ends with that. */
export function isStanding(run: RunState, { revokedAt, below }: Grant): boolean {
  if (revokedAt !== undefined || run.endedAt !== undefined) return false;
  return !below || run.calls.some(({ phase }) => phase.is === 'delegated' && phase.childId === below.childId);
}

/**
 * Takes such decisions back, the run's own and those given inside its sub-agents: later calls of the tool are asked
 * about again. True when there were some.
 */
export function revokeGrants(run: RunState, revocation: Revocation, now: number): boolean {
  const { by } = revocation;
  const taken = (run.grants ?? []).filter((grant) => isStanding(run, grant) && isMeant(grant, revocation));
  for (const grant of taken) {
    Object.assign(grant, {
      revokedAt: new Date(now).toISOString(),
      ...(by !== undefined && { revokedBy: by }),
    });
    const { tool, below } = grant;
    if (!below) continue;
    const { childId, requestId } = below;
    const revoke: Revocation = { tool, requestId, ...(by !== undefined && { by }) };
    run.forwards = [...(run.forwards ?? []), { childId, revoke }];
  }
  return taken.length > 0;
}

function isMeant(grant: Grant, { tool, path, requestId }: Revocation): boolean {
  return (
    grant.tool === tool &&
    (path === undefined || JSON.stringify(grant.path ?? []) === JSON.stringify(path)) &&
    (requestId === undefined || grant.requestId === requestId)
  );
}

/** Reads a revocation from anything a sender may have put on the wire. */
export function toRevocation(raw: unknown): Revocation | undefined {
  const { tool, by, path, requestId } = isRecord(raw) ? raw : {};
  if (typeof tool !== 'string') return undefined;
  if (by !== undefined && typeof by !== 'string') return undefined;
  if (path !== undefined && !isPath(path)) return undefined;
  if (requestId !== undefined && typeof requestId !== 'string') return undefined;
  return {
    tool,
    ...(by !== undefined && { by: cutText(by, MAX_ID_LENGTH) }),
    ...(path && { path }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** The same for a sender who is told. Throws `Holdpoint.Run.InvalidInput`. */
export function readRevocation(raw: unknown): Revocation {
  const revocation = toRevocation(raw);
  if (revocation) return revocation;
  throw new HoldpointError(
    'Holdpoint.Run.InvalidInput',
    'Expected {tool, by?, path?}: the name of a tool, of the person who takes its approval back, and of the agents that lead to it.',
  );
}

function isPath(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Taken back at the sub-agent's own run, it would still stand in the record of the run where it was given. */
export function revokedAbove({ runId, path }: ParentRef): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Run.InvalidInput',
    `An approval that was given for a sub-agent is taken back where it was given: at run ${quote(runId)}${path.length > 1 ? ', or at the run that called that one' : ''}.`,
    { runId },
  );
}
