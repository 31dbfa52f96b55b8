/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { saysNotRun } from '../../agent/result-text';
import type { RunView } from '../../client/run-result';
import { transcriptEntries, type CallEntry, type TranscriptEntry } from '../transcript-entries';
import { Diff } from '../../page-parts/diff';
import { Output } from '../../page-parts/output';
import { ReceiptLine } from '../../page-parts/receipts';
import { LongText, Text } from '../../page-parts/text';
import { Value } from '../../page-parts/value';

/** The conversation: who said what, what was called with what, what came back, and who answered for it. */
export function Transcript({ view }: { readonly view: RunView }) {
  const entries = transcriptEntries(view);
  if (entries.length === 0) return <p class="none">Nothing was said yet.</p>;
  return (
    <ol class="transcript">
      {entries.map((entry) => (
        <Said entry={entry} />
      ))}
    </ol>
  );
}

const SPEAKERS = { user: 'User', assistant: 'Agent', system: 'System' } as const;

function Said({ entry: { role, content, calls } }: { readonly entry: TranscriptEntry }) {
  const text =
    typeof content === 'string' ? content : content === null ? '' : JSON.stringify(content, undefined, 2);
  return (
    <li class={`said ${role}`}>
      <span class="speaker">{SPEAKERS[role]}</span>
      {text === '' ? null : <LongText text={text} label={`What the ${SPEAKERS[role].toLowerCase()} said`} />}
      {calls.map((call) => (
        <Call call={call} />
      ))}
    </li>
  );
}

function Call({ call }: { readonly call: CallEntry }) {
  return (
    <div class="called">
      <span class="called-name">
        called{' '}
        <strong>
          <Text text={call.name} />
        </strong>
      </span>{' '}
      <Value value={call.args} />
      {call.asked === undefined ? null : (
        <div class="edited">
          <span class="label">
            {call.output !== undefined && saysNotRun(call.output)
              ? 'Changed, and did not run'
              : 'Changed before it ran'}
          </span>
          <Diff before={call.asked} after={call.args} />
        </div>
      )}
      {call.receipts.map((receipt) => (
        <p class="receipt">
          <ReceiptLine receipt={receipt} />
        </p>
      ))}
      {call.waits ? <p class="waits">waits for an answer</p> : null}
      {call.output === undefined ? null : (
        <div class={call.isError ? 'result error' : 'result'}>
          <span class="label">{call.isError ? 'Error' : 'Result'}</span>
          <Output text={call.output} label={`Result of ${call.name}`} />
        </div>
      )}
    </div>
  );
}
