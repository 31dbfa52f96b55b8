/** What a conversation keeps of the asks that ended: bounded, because each execution hands it on to the next. */
import { jsonSize } from '../agent/json';
import { without } from '../agent/without';
import type { CallMark, Transcript } from '../agent/run-state';
import type { AcceptedAnswer, EndedAsk, RunSnapshotSummary } from '../agent/wire';

const MAX_ENDED = 100;
const MAX_ENDED_BYTES = 262_144;
const MAX_RECEIPTS = 500;
const MAX_RECEIPT_BYTES = 262_144;

/** Adds one. The oldest lose what is large of them first: their calls' metadata, their output, at last their calls. */
export function withEnded(ended: readonly EndedAsk[], ask: RunSnapshotSummary): EndedAsk[] {
  const kept = [...ended, without(ask, 'text')].slice(-MAX_ENDED);
  let bytes = jsonSize(kept);
  for (const reduce of [withoutMetadata, withoutOutput, withoutMarks])
    for (const [at, one] of kept.entries()) {
      if (bytes <= MAX_ENDED_BYTES) return kept;
      const reduced = reduce(one);
      bytes -= jsonSize(one) - jsonSize(reduced);
      kept[at] = reduced;
    }
  return kept;
}

/** Adds an ended ask's receipts; the oldest go. */
export function withReceipts(
  earlier: readonly AcceptedAnswer[],
  receipts: readonly AcceptedAnswer[],
): AcceptedAnswer[] {
  const kept = [...earlier, ...receipts].slice(-MAX_RECEIPTS);
  let bytes = 0;
  const first = kept.findLastIndex((one) => (bytes += jsonSize(one)) > MAX_RECEIPT_BYTES);
  return kept.slice(first + 1);
}

function withoutMetadata(ask: EndedAsk): EndedAsk {
  return { ...ask, marks: ask.marks.map(bareMark) };
}

/** A mark without what a tool or an approver may have made large. */
export function bareMark({ at, isError, pending }: CallMark): CallMark {
  return { at, isError, ...(pending !== undefined && { pending }) };
}

function withoutOutput(ask: EndedAsk): EndedAsk {
  return without(ask, 'output');
}

function withoutMarks(ask: EndedAsk): EndedAsk {
  return { ...ask, marks: [] };
}

/** An ended ask as it is shown: its text is what its last turn said, and the transcript has it. */
export function shownAsk(ask: EndedAsk, { entries }: Transcript): RunSnapshotSummary {
  const own = entries.slice(ask.from, ask.to).map(({ message }) => message);
  const said = own.findLast(({ role }) => role === 'assistant');
  return { ...ask, text: typeof said?.content === 'string' ? said.content : '' };
}
