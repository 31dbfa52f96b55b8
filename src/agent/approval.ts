import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { cutText } from './cut-text';
import { canonicalJson, type JsonObject } from './json';

/** Characters of the arguments in a prompt; `data.input` has all of them. */
const SHOWN_ARGUMENTS = 160;

/** SHA-256 (hex) of the arguments' canonical JSON: page, token and run agree by it on what was approved. */
export function inputDigest(input: JsonObject): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(input))));
}

export function approvalPrompt(tool: string, input: JsonObject): string {
  return `approve ${tool}(${cutText(JSON.stringify(input), SHOWN_ARGUMENTS)})`;
}
