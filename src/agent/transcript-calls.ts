import { toolCallsOf, type Message } from './message';
import type { Receipt } from './receipt';
import type { ToolCallRecord } from './result';

/**
 * The record of each call by its place, `<message>/<index in the message>`. The records are of the run's own calls,
 * which are the transcript's last ones that have a result.
 */
export function recordsByPlace(
  messages: readonly Message[],
  toolCalls: readonly ToolCallRecord[],
): ReadonlyMap<string, ToolCallRecord> {
  const keys = messages.flatMap((message, at) =>
    toolCallsOf(message).flatMap((_, index) =>
      messages[at + 1 + index]?.role === 'tool' ? [`${at}/${index}` as const] : [],
    ),
  );
  const own = keys.slice(Math.max(0, keys.length - toolCalls.length));
  return new Map(own.flatMap((key, at) => (toolCalls[at] ? [[key, toolCalls[at]] as const] : [])));
}

export interface ReceiptOfCall {
  readonly record: ToolCallRecord;
  readonly receipt: Receipt;
}

/** A receipt names calls by their ids. Providers repeat those, and then it has no one call (R19). */
export function receiptsOfCalls(
  toolCalls: readonly ToolCallRecord[],
  receipts: readonly Receipt[],
): ReceiptOfCall[] {
  return receipts.flatMap((receipt) =>
    receipt.settled.flatMap((id) => {
      const [record, ...others] = toolCalls.filter((call) => call.id === id);
      return record && others.length === 0 ? [{ record, receipt }] : [];
    }),
  );
}
