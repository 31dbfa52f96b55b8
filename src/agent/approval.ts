import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { cutText } from './cut-text';
import { canonicalJson, type JsonObject } from './json';
import type { RequestDraft } from './request';

/** Characters of the arguments in a prompt; `data.input` has all of them. */
const SHOWN_ARGUMENTS = 160;

/** SHA-256 (hex) of the arguments' canonical JSON: page, token and run agree by it on what was approved. */
export function inputDigest(input: JsonObject): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(input))));
}

/** The same request about other arguments: whoever decides next decides on what will run. */
export function aboutInput<R extends RequestDraft>(request: R, tool: string, input: JsonObject): R {
  const data = { ...request.data, input, arguments: JSON.stringify(input), digest: inputDigest(input) };
  return { ...request, prompt: approvalPrompt(tool, input), data };
}

export function approvalPrompt(tool: string, input: JsonObject): string {
  return `approve ${tool}(${cutText(JSON.stringify(input), SHOWN_ARGUMENTS)})`;
}
