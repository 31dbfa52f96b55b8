/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Receipt } from '../../agent/receipt';
import type { RunView } from '../../client/run-result';
import type { Frame } from '../frame';
import { deedOf, ReceiptLine } from '../../page-parts/receipts';
import { Output } from '../../page-parts/output';
import { Text } from '../../page-parts/text';
import { Diff } from '../../page-parts/diff';
import { Value } from '../../page-parts/value';
import { transcriptEntries, type CallEntry } from '../transcript-entries';
import { Page } from './page';

export interface ClosedPageProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly receipts: readonly Receipt[];
  /** Somebody tried to decide it and came too late. */
  readonly late?: boolean;
}

/** A request that is decided: who decided, what, and what came of it. */
export function ClosedPage({ frame, view, receipts, late = false }: ClosedPageProps) {
  const { paths } = frame;
  const settled = new Set(receipts.flatMap((receipt) => receipt.settled));
  const calls = transcriptEntries(view)
    .flatMap((entry) => entry.calls)
    .filter((call) => settled.has(call.id));
  const title = titleOf(receipts, late);
  return (
    <Page frame={frame} title={title} scripts={[frame.assets.live]}>
      <p class="back">
        <a href={paths.home}>What is waiting</a>
      </p>
      <section class={late ? 'notice bad' : 'notice good'} role="status">
        <h1>{title}</h1>
        {late ? <p>Nothing was changed by what you sent. The first answer stands:</p> : null}
        <ul class="receipts">
          {receipts.map((receipt) => (
            <li>
              <ReceiptLine receipt={receipt} />
            </li>
          ))}
        </ul>
      </section>
      <div id="live" {...(calls.some(({ output }) => output === undefined) && { 'data-live': 'outcome' })}>
        {calls.map((call) => (
          <Outcome call={call} />
        ))}
      </div>
      <p>
        <a href={paths.run(view.runId)}>
          The whole run <Text text={view.runId} />
        </a>
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

function titleOf(receipts: readonly Receipt[], late: boolean): string {
  const last = receipts.at(-1);
  if (last?.via === 'expiry') return late ? 'Too late: this has expired' : 'This has expired';
  if (last?.via === 'cancel') return late ? 'Too late: the run has ended' : 'This was closed with its run';
  if (late) return 'Somebody answered first';
  return last === undefined ? 'This is closed' : `This is ${deedOf(last).toLowerCase()}`;
}
