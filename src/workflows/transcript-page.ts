import { isRecord, jsonSize } from '../agent/json';
import type { RunState, Transcript } from '../agent/run-state';
import type { Message } from '../agent/message';
import type { TranscriptPage } from '../agent/wire';
import { visibleMessages } from '../agent/run-result';

const DEFAULT_PAGE_BYTES = 512 * 1024;
/** A query result travels in one message of 4 MB, of which the payload may have 2. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** One page of the transcript as a reader sees it, placeholders included. Bad input gives the first page. */
export function transcriptPage(
  run: RunState | undefined,
  transcript: Transcript,
  raw: unknown,
): TranscriptPage {
  const { from = 0, maxBytes = DEFAULT_PAGE_BYTES } = isRecord(raw) ? raw : {};
  const messages = run ? visibleMessages(run, transcript) : transcript.entries.map((entry) => entry.message);
  if (from === -1) {
    return {
      from: -1,
      messages: [],
      next: 0,
      length: messages.length,
      ...(transcript.system && { system: transcript.system.text }),
      ...(run?.context !== undefined && { context: run.context }),
    };
  }
  const start = typeof from === 'number' && from > 0 ? Math.floor(from) : 0;
  const budget = Math.min(typeof maxBytes === 'number' ? maxBytes : DEFAULT_PAGE_BYTES, MAX_PAGE_BYTES);
  const page: Message[] = [];
  let bytes = 0;
  for (const message of messages.slice(start)) {
    bytes += jsonSize(message);
    // At least one message, or a reader would ask for the same page for ever.
    if (page.length > 0 && bytes > budget) break;
    page.push(message);
  }
  const next = start + page.length;
  return {
    from: start,
    messages: page,
    length: messages.length,
    ...(next < messages.length && { next }),
  };
}
