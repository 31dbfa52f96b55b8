import type { Message } from '../agent/message';
import { QUERY_TRANSCRIPT, type TranscriptPage, type TranscriptPageInput } from '../agent/wire';
import type { ClientContext } from './client-context';
import type { Target } from './ids';
import { query } from './snapshot';
import type { WaitLimit } from './wait-limit';

/** Reads the first `length` messages of a transcript, page by page: no page is over the server's limit. */
export async function readMessages(
  context: ClientContext,
  target: Target,
  length: number,
  limit: WaitLimit,
): Promise<Message[]> {
  const messages: Message[] = [];
  while (messages.length < length) {
    const page = await readPage(context, target, messages.length, limit);
    messages.push(...page.messages);
    if (page.next === undefined || page.messages.length === 0) break;
  }
  return messages.slice(0, length);
}

/** One page; `from` -1 gives the preamble, which holds the context. */
export function readPage(
  context: ClientContext,
  target: Target,
  from: number,
  limit: WaitLimit,
): Promise<TranscriptPage> {
  const input: TranscriptPageInput = { from };
  return query<TranscriptPage>(context, target, QUERY_TRANSCRIPT, [input], limit);
}
