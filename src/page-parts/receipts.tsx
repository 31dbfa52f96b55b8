/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isVoteReceipt, type Receipt } from '../agent/receipt';
import type { ToolCallRecord } from '../agent/result';
import { callsOfReceipt } from './calls-of-receipt';
import { Text } from './text';
import { Moment } from './when';

/** A decision in a word or two. Only those about a call's arguments carry a digest of them. */
export function deedOf({ ok, digest, supplied }: Receipt): string {
  if (!ok) return 'Declined';
  if (supplied) return 'Result given';
  return digest === undefined ? 'Answered' : 'Approved';
}

interface ReceiptLineProps {
  readonly receipt: Receipt;
  /** Names of the calls that it decided; left out where they stand beside it. */
  readonly about?: readonly string[];
}

/** Who decided what, when and how: people, earlier decisions, deadlines and ends are told apart. */
export function ReceiptLine({ receipt, about = [] }: ReceiptLineProps) {
  const { by, at, via } = receipt;
  const subject =
    about.length === 0 ? null : (
      <>
        {receipt.supplied ? ' for ' : ' '}
        <Text text={about.join(', ')} />
      </>
    );
  switch (via) {
    case 'expiry':
      return (
        <>
          <strong>Expired{subject}</strong> on <Moment at={at} />: nobody answered in time.
        </>
      );
    case 'cancel':
      return (
        <>
          <strong>Closed{subject}</strong> with its run on <Moment at={at} />.
        </>
      );
    case 'policy':
      return (
        <>
          <strong>Approved{subject}</strong> on <Moment at={at} /> by an earlier decision about all calls
          {by === undefined ? '' : ', of '}
          {by === undefined ? null : <Text text={by} />}.
        </>
      );
    default:
      return (
        <>
          <strong>
            {deedOf(receipt)}
            {subject}
          </strong>{' '}
          by {by === undefined ? 'somebody without a name' : <Text text={by} />}
          <Circumstances receipt={receipt} />
        </>
      );
  }
}

function Circumstances({ receipt }: { readonly receipt: Receipt }) {
  const { by, as, at, channel, edited, allCallsOf, late, resolved, open } = receipt;
  return (
    <>
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
      {resolved ? '.' : isVoteReceipt(receipt) ? votedWords(receipt) : `; ${open.length} still open.`}
    </>
  );
}

function votedWords({ voided }: Receipt): string {
  return voided ? '; void since, for the arguments were changed.' : '; more must agree.';
}

/** The receipts of one request. */
export function ReceiptList({ receipts }: { readonly receipts: readonly Receipt[] }) {
  return (
    <ul class="receipts">
      {receipts.map((receipt) => (
        <li>
          <ReceiptLine receipt={receipt} />
        </li>
      ))}
    </ul>
  );
}

interface ReceiptsProps {
  readonly receipts: readonly Receipt[];
  /** The run's calls, so that each decision says what it was about. */
  readonly calls: readonly ToolCallRecord[];
}

/** The receipts of a run. */
export function Receipts({ receipts, calls }: ReceiptsProps) {
  if (receipts.length === 0) return <p class="none">Nobody has decided anything yet.</p>;
  const about = (receipt: Receipt): string[] => [
    ...new Set(callsOfReceipt(receipt, calls).map(({ name }) => name)),
  ];
  return (
    <ol class="receipts">
      {receipts.map((receipt) => (
        <li>
          <ReceiptLine receipt={receipt} about={about(receipt)} />
        </li>
      ))}
    </ol>
  );
}
