/** "Approve all calls of this tool in this run": one person's recorded decision about calls that are still to come. */
import { applyVerdict } from './answers';
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
function grantFor(run: RunState, { purpose, request }: OpenRequest): Grant | undefined {
  const { kind, data, policy } = request;
  if (purpose !== 'hold' || kind !== 'approval' || quorumOf(policy) > 1) return undefined;
  return run.grants?.find(
    (grant) => grant.revokedAt === undefined && grant.tool === data?.['tool'] && mayAnswer(policy, grant),
  );
}

/** Takes such a decision back: later calls of the tool are asked about again. True when there was one. */
export function revokeGrants(run: RunState, tool: string, by: string | undefined, now: number): boolean {
  const active = (run.grants ?? []).filter((grant) => grant.tool === tool && grant.revokedAt === undefined);
  for (const grant of active)
    Object.assign(grant, {
      revokedAt: new Date(now).toISOString(),
      ...(by !== undefined && { revokedBy: by }),
    });
  return active.length > 0;
}
