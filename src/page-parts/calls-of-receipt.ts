import { inputDigest } from '../agent/approval';
import { isRecord, type Json } from '../agent/json';
import type { Receipt } from '../agent/receipt';

interface AnyCall {
  readonly id: string;
  readonly args: Json;
}

/**
 * The calls that a receipt settled. It names them by the model's ids, which providers repeat (R19): then the digest of
 * what was decided tells which is meant, and where there is none, nothing is claimed of any.
 */
export function callsOfReceipt<C extends AnyCall>(receipt: Receipt, calls: readonly C[]): C[] {
  const { settled, edited, digest } = receipt;
  return settled.flatMap((id) => {
    const named = calls.filter((call) => call.id === id);
    if (named.length < 2) return named;
    return named.filter(({ args }) => isRecord(args) && inputDigest(args) === (edited ?? digest));
  });
}
