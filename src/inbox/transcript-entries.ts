import { canonicalJson, type Json } from '../agent/json';
import { toolCallsOf, type Message, type ToolCallPart } from '../agent/message';
import type { Receipt } from '../agent/receipt';
import type { ToolCallRecord } from '../agent/result';
import { inputOf } from '../agent/run-result';
import { receiptsOfCalls, recordsByPlace } from '../agent/transcript-calls';
import type { RunView } from '../client/run-result';

/** A call with all that is known of it. */
export interface CallEntry {
  readonly id: string;
  readonly name: string;
  /** What it ran with, or will. */
  readonly args: Json;
  /** What the model asked for, where something else ran. */
  readonly asked?: Json;
  /** Absent while there is none. */
  readonly output?: string;
  readonly isError: boolean;
  readonly waits: boolean;
  readonly receipts: readonly Receipt[];
}

export interface TranscriptEntry {
  readonly role: Exclude<Message['role'], 'tool'>;
  readonly content: Message['content'];
  readonly calls: readonly CallEntry[];
}

/** What was said, each message with the calls that it makes and what came of them. */
export function transcriptEntries({ messages, toolCalls, receipts = [] }: RunView): TranscriptEntry[] {
  const records = recordsByPlace(messages, toolCalls);
  const answered = receiptsOfCalls(toolCalls, receipts);
  return messages.flatMap((message, at) => {
    const { role, content } = message;
    if (role === 'tool') return [];
    const calls = toolCallsOf(message).map((call, index) => {
      const record = records.get(`${at}/${index}`);
      const reply = messages[at + 1 + index];
      const own = answered.filter((entry) => entry.record === record).map(({ receipt }) => receipt);
      return callEntry(call, record, reply?.role === 'tool' ? reply.content : undefined, own);
    });
    return [{ role, content, calls }];
  });
}

function callEntry(
  { id, function: { name, arguments: raw } }: ToolCallPart,
  record: ToolCallRecord | undefined,
  reply: string | undefined,
  receipts: readonly Receipt[],
): CallEntry {
  const asked: Json = inputOf(raw) ?? raw;
  const args = record?.args ?? asked;
  const waits = record?.metadata?.['pending'] !== undefined;
  const output = waits ? undefined : (record?.output ?? reply);
  return {
    id,
    name,
    args,
    ...(canonicalJson(asked) !== canonicalJson(args) && { asked }),
    ...(output !== undefined && { output }),
    isError: record?.isError === true && !waits,
    waits,
    receipts,
  };
}
