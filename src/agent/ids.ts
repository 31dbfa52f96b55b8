import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { utf8Length } from './json';
import type { ToolCallPart } from './message';

/** How the ids begin that a run generates. */
export const GENERATED_ID = 'req_';

/** The id of a call's n-th request: unique across runs, the same under replay (R10). */
export function requestIdOf(seed: string, turn: number, index: number, n: number): string {
  return `${GENERATED_ID}${seed}_${turn}_${index}${n === 0 ? '' : `_${n}`}`;
}

/** The same across attempts, workers, re-executions and continue-as-new (R9). */
export function idempotencyKeyOf(seed: string, turn: number, index: number): string {
  return `hp_${seed}_${turn}_${index}`;
}

/** Bytes of a workflow id in a database's column. */
const MAX_WORKFLOW_ID = 250;

/** The id of a workflow that a run starts: the run's own and what it is, or a digest where that is too long. */
export function childId(familyId: string, name: string): string {
  const id = `${familyId}/${name}`;
  if (utf8Length(id) <= MAX_WORKFLOW_ID) return id;
  return `${bytesToHex(sha256(utf8ToBytes(familyId))).slice(0, 32)}/${name}`;
}

/** Receipts, requests and results repeat a call's id, so one that is longer is replaced. */
const MAX_CALL_ID_LENGTH = 512;

/**
 * A message's calls with an id each: one that is missing, empty, endless or repeats an earlier one of the message
 * becomes `call_<turn>_<index>` (R19). Ids repeated across messages stay as they are.
 */
export function withCallIds(
  calls: readonly { readonly id?: string; readonly name: string; readonly arguments: string }[],
  turn: number,
): ToolCallPart[] {
  const given = new Set(calls.map((call) => call.id));
  const used = new Set<string>();
  return calls.map((call, index) => {
    let id = call.id ?? '';
    if (id === '' || id.length > MAX_CALL_ID_LENGTH || used.has(id)) {
      id = `call_${turn}_${index}`;
      // The provider may itself have used our form of an id for another call of the message.
      while (given.has(id) || used.has(id)) id += '_';
    }
    used.add(id);
    return { id, type: 'function', function: { name: call.name, arguments: call.arguments } };
  });
}
