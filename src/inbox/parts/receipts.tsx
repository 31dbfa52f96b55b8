/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Receipt } from '../../agent/receipt';
import { Text } from './text';
import { Moment } from './when';

/** Who decided what, when and how: people, deadlines and ends are told apart. */
export function ReceiptLine({ receipt }: { readonly receipt: Receipt }) {
  const { ok, by, at, via, resolved, late, open } = receipt;
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
  return (
    <>
      <strong>{ok ? 'Answered' : 'Declined'}</strong> by{' '}
      {by === undefined ? 'somebody without a name' : <Text text={by} />} on <Moment at={at} />
      {late ? ', after the deadline' : ''}
      {resolved ? '.' : `; ${open.length === 0 ? 'more answers are needed' : `${open.length} still open`}.`}
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
