/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Receipt } from '../../agent/receipt';
import { Text } from './text';
import { Moment } from './when';

/** One word for a decision. Only those about a call's arguments carry a digest of them. */
export function deedOf({ ok, digest }: Receipt): string {
  if (!ok) return 'Declined';
  return digest === undefined ? 'Answered' : 'Approved';
}

/** One approval of several settles nothing yet. */
function isVote({ ok, resolved, settled }: Receipt): boolean {
  return ok && !resolved && settled.length === 0;
}

/** Who decided what, when and how: people, deadlines and ends are told apart. */
export function ReceiptLine({ receipt }: { readonly receipt: Receipt }) {
  const { by, at, via, resolved, late, open } = receipt;
  if (via === 'expiry')
    return (
      <>
        <strong>Expired</strong> on <Moment at={at} />: nobody answered in time.
      </>
    );
  if (via === 'cancel')
    return (
      <>
        <strong>Closed with its run</strong> on <Moment at={at} />.
      </>
    );
  const { as, channel, edited, allCallsOf } = receipt;
  if (via === 'policy')
    return (
      <>
        <strong>Approved</strong> on <Moment at={at} /> by an earlier decision about all calls
        {by === undefined ? '' : ' by '}
        {by === undefined ? null : <Text text={by} />}.
      </>
    );
  return (
    <>
      <strong>{deedOf(receipt)}</strong> by{' '}
      {by === undefined ? 'somebody without a name' : <Text text={by} />}
      {as === undefined || as === by ? null : (
        <>
          {' '}
          as <Text text={as} />
        </>
      )}{' '}
      on <Moment at={at} />
      {channel === undefined ? null : (
        <>
          {' '}
          (<Text text={channel} />)
        </>
      )}
      {edited === undefined ? '' : ', with other arguments'}
      {allCallsOf === undefined ? null : (
        <>
          , and all calls of <Text text={allCallsOf} /> in this run
        </>
      )}
      {late ? ', after the deadline' : ''}
      {resolved ? '.' : isVote(receipt) ? '; more must agree.' : `; ${open.length} still open.`}
    </>
  );
}

export function Receipts({ receipts }: { readonly receipts: readonly Receipt[] }) {
  if (receipts.length === 0) return <p class="none">Nobody has decided anything yet.</p>;
  return (
    <ol class="receipts">
      {receipts.map((receipt) => (
        <li>
          <ReceiptLine receipt={receipt} />
        </li>
      ))}
    </ol>
  );
}
