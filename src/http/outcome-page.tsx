/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { approversOf, quorumOf } from '../agent/policy';
import type { Receipt } from '../agent/receipt';
import type { Request } from '../agent/request';
import { ReceiptList } from '../page-parts/receipts';
import { Text } from '../page-parts/text';
import { page } from './html';
import type { Problem } from './problem';
import { problemTitle } from './problem-title';

export interface OutcomeProps {
  /** All of the request, the last one last. */
  readonly receipts: readonly Receipt[];
  readonly inboxUrl?: string | undefined;
}

/** The page for a request that was answered before whoever holds the link looked, or was faster. */
export function answeredPage({ receipts, inboxUrl }: OutcomeProps): Promise<string> {
  return page(
    'Already answered',
    <section class="notice" role="status">
      <h1>This was answered already</h1>
      <ReceiptList receipts={receipts} />
      <More inboxUrl={inboxUrl} />
    </section>,
  );
}

/** The page after an answer of one's own. `request` is what is still open of it. */
export function recordedPage(
  own: Receipt,
  { receipts, inboxUrl, request }: OutcomeProps & { readonly request?: Request | undefined },
): Promise<string> {
  const title = recordedTitle(own, request);
  return page(
    title,
    <section class="notice good" role="status">
      <h1>{title}</h1>
      <ReceiptList receipts={receipts.length === 0 ? [own] : receipts} />
      {request ? <StillNeeded request={request} /> : null}
      <More inboxUrl={inboxUrl} />
    </section>,
  );
}

function recordedTitle({ resolved, ok, settled }: Receipt, request: Request | undefined): string {
  if (resolved || !ok || settled.length > 0 || !request) return 'Your answer is recorded';
  return `Your vote counts: ${request.policy?.votes?.length ?? 0} of ${quorumOf(request.policy)}`;
}

function StillNeeded({ request: { policy } }: { readonly request: Request }) {
  const more = quorumOf(policy) - (policy?.votes?.length ?? 0);
  if (quorumOf(policy) === 1 || more < 1) return null;
  const voted = policy?.votes?.map(({ by }) => by) ?? [];
  const approvers = approversOf(policy)?.filter((name) => !voted.includes(name));
  return (
    <p>
      {more} more must approve{approvers === undefined ? '.' : ', of: '}
      {approvers === undefined ? null : <Text text={`${approvers.join(', ')}.`} />} Nothing runs before that,
      and one decline decides.
    </p>
  );
}

function More({ inboxUrl }: { readonly inboxUrl: string | undefined }): Child {
  return inboxUrl === undefined ? null : (
    <p>
      <a href={inboxUrl}>See it in the inbox</a>
    </p>
  );
}

/** The page for a problem. */
export function problemPage(problem: Pick<Problem, 'code' | 'title' | 'detail'>): Promise<string> {
  const title = problemTitle(problem);
  return page(
    title,
    <section class="notice bad" role="alert">
      <h1>{title}</h1>
      <p>
        <Text text={problem.detail} />
      </p>
    </section>,
  );
}
