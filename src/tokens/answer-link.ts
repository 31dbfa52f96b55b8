import { parseInstant } from '../agent/instant';
import { ownId } from '../agent/tenant';
import { HoldpointError } from '../agent/errors';
import type { ConfigSource } from '../config/config';
import { answerUrl, createAnswerToken, type Decision } from './answer-token';

/** What a link is made for, in the words of a run's own record. */
export interface AnswerLink {
  /** The run's id as it is inside, with its tenant in front, or as the tenant knows it. */
  readonly runId: string;
  readonly tenant?: string;
  /** First execution of the run's chain. */
  readonly firstExecutionId: string;
  readonly request: { readonly id: string; readonly expiresAt?: string };
  /** When it is made, in milliseconds since the epoch: the same link again needs the same. Default: now. */
  readonly at?: number;
  /** The person whom it is sent to. */
  readonly by?: string;
  readonly roles?: readonly string[];
  /** Default: both. */
  readonly decisions?: readonly Decision[];
}

/**
 * A link by which whoever has it answers one request of one run, good for as long as the request is. `publicUrl`
 * stands in for a configuration that has none.
 *
 * Throws `Holdpoint.Token.NoKey`, and `Holdpoint.Config.Invalid` where nobody knows the address.
 */
export async function answerLink(
  { current }: ConfigSource,
  link: AnswerLink,
  publicUrl?: string,
): Promise<string> {
  const { runId, tenant, firstExecutionId, request, at, by, roles, decisions } = link;
  const base = current.publicUrl ?? publicUrl;
  if (base === undefined)
    throw new HoldpointError(
      'Holdpoint.Config.Invalid',
      'The configuration has no `publicUrl`, with which links begin. Put in where people reach this server, such as "https://holdpoint.example.com".',
    );
  const expiresAt = request.expiresAt === undefined ? undefined : parseInstant(request.expiresAt);
  const token = await createAnswerToken(
    current.signingKeys,
    {
      runId: ownId(runId, tenant),
      firstExecutionId,
      requestId: request.id,
      ...(tenant !== undefined && { tenant }),
      ...(by !== undefined && { by }),
      ...(roles !== undefined && { roles }),
      ...(decisions !== undefined && { decisions }),
    },
    { ...(at !== undefined && { at }), ...(expiresAt !== undefined && { expiresAt }) },
  );
  return answerUrl(base, token);
}
