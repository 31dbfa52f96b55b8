/** How a transcript, a context and arguments travel to the worker: by reference, so that history holds each once. */
import type { CallState, Entry, RunState, Transcript } from '../agent/run-state';
import type { ArgumentsRef, ContextRef, RunRef, TailItem, TranscriptRef } from '../agent/wire';
import { jsonSize } from '../agent/json';
import { rawArguments } from '../agent/open-request';

/** A reference is about this large: what is smaller travels as it is. */
const INLINE_BYTES = 256;

/** Without a digest the alternative is a query, which costs a round trip: more is worth its bytes. */
const INLINE_BYTES_WITHOUT_DIGEST = 1024;

/** A tail in all: thousands of small messages are too much for one input, too. */
const MAX_INLINE_BYTES = 512 * 1024;

export function toTranscriptRef({ entries, base }: Transcript): TranscriptRef {
  let room = MAX_INLINE_BYTES;
  const tail = entries.slice(base?.length ?? 0).map((entry) => {
    const item = toTailItem(entry, room);
    if ('m' in item) room -= jsonSize(item);
    return item;
  });
  return base ? { base, tail } : { tail };
}

function toTailItem({ message, digest }: Entry, room: number): TailItem {
  const bytes = jsonSize(message);
  const inline = digest === undefined ? INLINE_BYTES_WITHOUT_DIGEST : INLINE_BYTES;
  if (bytes <= Math.min(inline, room)) return { m: message };
  return digest === undefined ? { q: 1 } : { d: digest };
}

export function toRunRef(run: RunState): RunRef {
  const { runId, agent, conversationId, seed, turn } = run;
  return {
    runId,
    agent,
    ...(conversationId !== undefined && { conversationId }),
    seed,
    turn,
    context: toContextRef(run),
  };
}

function toContextRef({ context }: RunState): ContextRef {
  if (context === undefined) return {};
  return jsonSize(context) <= INLINE_BYTES_WITHOUT_DIGEST ? { value: context } : { q: 1 };
}

export function toArgumentsRef(transcript: Transcript, call: CallState): ArgumentsRef {
  const text = rawArguments(transcript, call);
  if (jsonSize(text) <= INLINE_BYTES_WITHOUT_DIGEST) return { text };
  const at = transcript.entries.length - 1;
  const digest = transcript.entries[at]?.digest;
  return { at, index: call.index, ...(digest !== undefined && { digest }) };
}
