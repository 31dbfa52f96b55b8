import { HoldpointError } from '../agent/errors';
import { openCallsOf } from '../agent/open-calls';
import type { Receipt } from '../agent/receipt';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { HoldpointClient, RunView } from '../client';
import { unknownToken, verifyAnswerToken, type AnswerGrant } from '../tokens/answer-token';
import type { Identity } from './identity';
import { reads, type Services } from './services';

/** What a link leads to: one request of one run, and who answers by it. */
export interface Granted {
  readonly grant: AnswerGrant;
  readonly client: HoldpointClient;
  readonly identity: Identity;
}

/**
 * Opens a link. Throws `Holdpoint.Token.Unknown` for whatever leads nowhere, also where the run's id now belongs to
 * another run, and `Holdpoint.Token.Expired`.
 */
export async function openLink(services: Services, token: string): Promise<Granted> {
  const grant = await verifyAnswerToken(services.config.current.signingKeys, token);
  const client = services.client.forTenant(grant.tenant ?? null);
  const { firstExecutionId } = await orUnknown(() => client.describe(grant.runId, reads(services)));
  if (firstExecutionId !== grant.firstExecutionId) throw unknownToken();
  return { grant, client, identity: identityOf(grant) };
}

/** A link's request as its run has it now. */
export interface LinkReading {
  readonly run: RunView;
  /** Absent once it is closed. */
  readonly request?: Request;
  /** Those of a relay request that have no result yet. */
  readonly calls: readonly RelayCall[];
  /** All that was accepted for it, votes and parts included. */
  readonly receipts: readonly Receipt[];
}

/** What became of the request: it is open, or has the receipt that settled it, or neither. */
export async function readRequest(services: Services, { grant, client }: Granted): Promise<LinkReading> {
  const run = await orUnknown(() => client.get(grant.runId, { ...reads(services), messages: false }));
  const request = run.requests?.find(({ id }) => id === grant.requestId);
  const all = await receiptsOf(services, client, run);
  return {
    run,
    ...(request && { request }),
    calls: request ? openCallsOf(request, all) : [],
    receipts: all.filter(({ requestId }) => requestId === grant.requestId),
  };
}

/** A result without messages has no receipts once its run has closed. */
async function receiptsOf(services: Services, client: HoldpointClient, run: RunView) {
  if (run.receipts) return run.receipts;
  return (await client.get(run.runId, reads(services))).receipts ?? [];
}

/** A run that is gone is a link that leads nowhere. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const gone = error instanceof HoldpointError && GONE.includes(error.type);
    throw gone ? unknownToken() : error;
  }
}

const GONE: readonly string[] = [
  'Holdpoint.Run.NotFound',
  'Holdpoint.Conversation.NotFound',
  'Holdpoint.Answer.UnknownRequest',
];

function identityOf({ by, roles = [], tenant, firstExecutionId, requestId }: AnswerGrant): Identity {
  return {
    subject: by ?? 'link',
    roles,
    scopes: ['requests:answer'],
    ...(tenant !== undefined && { tenant }),
    via: 'token',
    // A tool may name its requests itself, so another run, or another tenant's, may have one of the same id.
    account: `link ${tenant ?? ''}/${firstExecutionId}/${requestId}`,
  };
}
