/** "Approve all calls of this tool in this run": one person's recorded decision about calls that are still to come. */
import { MAX_ID_LENGTH } from './answer';
import { applyVerdict } from './answers';
import { cutText } from './cut-text';
import { HoldpointError } from './errors';
import { isRecord } from './json';
import type { RevokeInput } from './wire';
import { callsWaitingOn } from './open-request';
import { mayAnswer, quorumOf } from './policy';
import type { Grant, OpenRequest, RunState } from './run-state';

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
    (grant) => grant.revokedAt === undefined && grant.tool === data?.['tool'] && mayAnswer(policy, grant),
  );
}

/** Whether later calls still pass by it. */
export function isStanding(run: RunState, grant: Grant): boolean {
  return grant.revokedAt === undefined && run.endedAt === undefined;
}

/** Takes such a decision back: later calls of the tool are asked about again. True when there was one. */
export function revokeGrants(run: RunState, { tool, by }: RevokeInput, now: number): boolean {
  const active = (run.grants ?? []).filter((grant) => grant.tool === tool && grant.revokedAt === undefined);
  for (const grant of active)
    Object.assign(grant, {
      revokedAt: new Date(now).toISOString(),
      ...(by !== undefined && { revokedBy: by }),
    });
  return active.length > 0;
}

/** Reads a revocation from anything a sender may have put on the wire. Throws `Holdpoint.Run.InvalidInput`. */
export function readRevocation(raw: unknown): RevokeInput {
  const { tool, by } = isRecord(raw) ? raw : {};
  if (typeof tool === 'string' && (by === undefined || typeof by === 'string'))
    return { tool, ...(by !== undefined && { by: cutText(by, MAX_ID_LENGTH) }) };
  throw new HoldpointError(
    'Holdpoint.Run.InvalidInput',
    'Expected {tool, by?}: the name of a tool, and of the person who takes its approval back.',
  );
}
