import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** How long a run's agent and tenant may stand in a search attribute: a database's column holds 255 characters. */
export const MAX_SEARCH_VALUE = 200;
/** The same for one kind: several share an attribute. */
const MAX_SEARCH_KIND = 100;

/**
 * A text as it is indexed and looked for: cut, and without NUL. PostgreSQL refuses a NUL, and the server would try
 * for ever to index the run, which then is in no list.
 *
 * ```ts
 * toSearchValue(`${tenant}`, MAX_SEARCH_VALUE);
 * ```
 */
export function toSearchValue(text: string, maxLength: number): string {
  return text.replaceAll('\0', '').slice(0, maxLength);
}

/** What `HoldpointWaitingFor` holds of a request's kind. */
export function kindValue(kind: string): string {
  return `kind:${toSearchValue(kind, MAX_SEARCH_KIND)}`;
}

/** The same of an approver: hashed, because attributes hold no personal data. */
export function approverValue(nameOrRole: string): string {
  return `approver:${bytesToHex(sha256(utf8ToBytes(nameOrRole))).slice(0, 16)}`;
}
