import { cutText } from '../agent/cut-text';
import { jsonSize } from '../agent/json';
import { isRelayRequest, relayCallsOf } from '../agent/relay';
import type { RunSnapshot } from '../agent/wire';
import { without } from '../agent/without';
import { bareMark } from './ended-asks';

/** A query's result may have 2 MB: one that is larger never arrives, and nobody could read the run again. */
const MAX_STATE_BYTES = 1_572_864;

/** Characters of a text that is cut. */
const CUT_TEXT = 2_000;

/** What goes first where it has to: what can be read elsewhere, then what is oldest. */
const REDUCTIONS: readonly ((snapshot: RunSnapshot) => RunSnapshot)[] = [
  withoutSchemas,
  withoutOldTexts,
  (snapshot) => ({ ...snapshot, marks: snapshot.marks.map(bareMark) }),
  (snapshot) => ({ ...without(snapshot, 'output'), text: cutText(snapshot.text, CUT_TEXT) }),
  ({ error, ...snapshot }) => ({
    ...snapshot,
    receipts: snapshot.receipts.slice(-100),
    rejections: snapshot.rejections.slice(-5),
    ...(error && { error: { type: error.type, message: cutText(error.message, CUT_TEXT) } }),
  }),
  ({ conversation, ...snapshot }) => ({
    ...snapshot,
    marks: [],
    ...(conversation && { conversation: { ...conversation, ended: [] } }),
  }),
];

/** What answers are checked by stands beside the requests: they can be answered without. */
function withoutSchemas(snapshot: RunSnapshot): RunSnapshot {
  const requests = snapshot.requests.map((open) => {
    const { kind, data = {} } = open.request;
    if (kind === 'approval' && data['schema'] !== undefined)
      return { ...open, request: { ...open.request, data: without(data, 'schema') } };
    if (!isRelayRequest(open.request)) return open;
    const calls = relayCallsOf(open.request).map((call) => without(call, 'outputSchema'));
    return { ...open, request: { ...open.request, data: { ...data, calls } } };
  });
  return { ...snapshot, requests };
}

function withoutOldTexts({ conversation, ...snapshot }: RunSnapshot): RunSnapshot {
  if (!conversation) return snapshot;
  const ended = conversation.ended.map((ask) => ({
    ...without(ask, 'output'),
    text: cutText(ask.text, CUT_TEXT),
    marks: ask.marks.map(bareMark),
  }));
  return { ...snapshot, conversation: { ...conversation, ended } };
}

/** The snapshot, with less where it would not arrive; `truncated` then says so. Open requests are whole but for their schemas. */
export function fitted(snapshot: RunSnapshot): RunSnapshot {
  let shown = snapshot;
  for (const reduce of REDUCTIONS) {
    if (jsonSize(shown) <= MAX_STATE_BYTES) break;
    shown = { ...reduce(shown), truncated: true };
  }
  return shown;
}
