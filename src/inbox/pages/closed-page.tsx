/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Receipt } from '../../agent/receipt';
import type { RunView } from '../../client/run-result';
import type { Frame } from '../frame';
import { deedOf, ReceiptList } from '../../page-parts/receipts';
import { Rejections } from '../../page-parts/rejections';
import { Output } from '../../page-parts/output';
import { Text } from '../../page-parts/text';
import { callsOfReceipt } from '../../page-parts/calls-of-receipt';
import { Diff } from '../../page-parts/diff';
import { Value } from '../../page-parts/value';
import { transcriptEntries, type CallEntry } from '../transcript-entries';
import { Page } from './page';

export interface ClosedPageProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly receipts: readonly Receipt[];
  /** Somebody has just sent a decision, and it did not count. */
  readonly sent?: Sent | undefined;
}

/** Too late, or under an id that had been used for another decision. */
export type Sent = 'late' | 'reused';

/** A request that is decided: who decided, what, and what came of it. */
export function ClosedPage({ frame, view, receipts, sent }: ClosedPageProps) {
  const { paths } = frame;
  const all = transcriptEntries(view).flatMap((entry) => entry.calls);
  const calls = [...new Set(receipts.flatMap((receipt) => callsOfReceipt(receipt, all)))];
  const title = titleOf(receipts, sent);
  const names = [...new Set(calls.map(({ name }) => name))];
  const asked = new Set(receipts.map(({ requestId }) => requestId));
  const rejections = (view.rejections ?? []).filter(({ requestId = '' }) => asked.has(requestId));
  return (
    <Page frame={frame} title={[title, ...names, view.runId].join(' \u00b7 ')} scripts={[frame.assets.live]}>
      <p class="back">
        <a href={paths.home}>What is waiting</a>
      </p>
      <section class={sent ? 'notice bad' : 'notice good'} role="status">
        <h1>
          <Text text={title} />
        </h1>
        {sent ? (
          <p>
            Nothing was changed by what you sent.{' '}
            {sent === 'late' ? 'The first answer stands:' : 'This is what was recorded:'}
          </p>
        ) : null}
        <ReceiptList receipts={receipts} />
      </section>
      <div id="live" {...(calls.some(({ output }) => output === undefined) && { 'data-live': 'outcome' })}>
        {calls.map((call) => (
          <Outcome call={call} />
        ))}
      </div>
      {rejections.length === 0 ? null : (
        <section>
          <h2>Refused attempts</h2>
          <Rejections rejections={rejections} />
        </section>
      )}
      <p>
        <a href={paths.run(view.runId)}>
          The whole run <Text text={view.runId} />
        </a>
        {view.agent === undefined ? null : (
          <>
            {' '}
            of the agent <Text text={view.agent} />
          </>
        )}
      </p>
    </Page>
  );
}

function Outcome({ call }: { readonly call: CallEntry }) {
  return (
    <section class="card">
      <h2>
        <Text text={call.name} />
      </h2>
      <Value value={call.args} />
      {call.asked === undefined ? null : (
        <>
          <h3>What was changed</h3>
          <Diff before={call.asked} after={call.args} />
        </>
      )}
      <h3>{call.isError ? 'Error' : 'Result'}</h3>
      {call.output === undefined ? (
        <p class="none">None yet: the run goes on.</p>
      ) : (
        <Output text={call.output} label={`Result of ${call.name}`} />
      )}
    </section>
  );
}

function titleOf(receipts: readonly Receipt[], sent: Sent | undefined): string {
  if (sent === 'reused') return 'This form was sent before with something else';
  const late = sent === 'late';
  const last = receipts.at(-1);
  if (last?.via === 'expiry') return late ? 'Too late: this has expired' : 'This has expired';
  if (last?.via === 'cancel') return late ? 'Too late: the run has ended' : 'This was closed with its run';
  if (late) return 'Somebody answered first';
  if (last?.supplied) return `Result given by ${last.by ?? 'somebody'}`;
  return last === undefined ? 'This is closed' : `This is ${deedOf(last).toLowerCase()}`;
}
