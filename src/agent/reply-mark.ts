/** The same in a workflow's own realm and in its converter's. */
const REPLY = Symbol.for('holdpoint.reply');

/** Marks what answers a query. It is read once and is in no history, so that there is no need to keep it anywhere. */
export function asReply<T extends object | null>(value: T): T {
  return value === null ? value : Object.defineProperty({ ...value }, REPLY, { value: true });
}

export function isReply(value: unknown): boolean {
  return typeof value === 'object' && value !== null && REPLY in value;
}
