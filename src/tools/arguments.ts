import { parseJson, isRecord, type JsonObject } from '../agent/json';
import { inputOf } from '../agent/run-result';
import type { Tool } from '../agent/tool';

/** Arguments that fit the tool: as they travel, and as its handler takes them. */
export type ReadArguments =
  | { readonly ok: true; readonly input: JsonObject; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the model's raw arguments (R5). No text at all counts as no arguments: providers send that for
 * calls without any. The problem is a sentence for the model.
 */
export function readArguments(tool: Tool, raw: string): ReadArguments {
  const input = inputOf(raw);
  if (input) return checkArguments(tool, input);
  const value = parseJson(raw);
  const found =
    value === undefined ? 'they are not valid JSON' : `expected a JSON object, got ${kindOf(value)}`;
  return { ok: false, problem: invalidArguments(tool.name, found) };
}

/** Checks arguments that a hook or an approver gave. */
export function checkArguments(tool: Tool, input: JsonObject): ReadArguments {
  const checked = tool.checkInput(input);
  if (checked.ok) return { ok: true, input, value: checked.value };
  return { ok: false, problem: invalidArguments(tool.name, checked.problem) };
}

export function invalidArguments(tool: string, problem: string): string {
  return `Invalid arguments for ${tool}: ${problem}`;
}

/** The object as it survives the wire, or `undefined` when it is no plain JSON object (R12). */
export function plainObject(value: unknown): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  const copy = parseJson(JSON.stringify(value));
  return isRecord(copy) ? copy : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
