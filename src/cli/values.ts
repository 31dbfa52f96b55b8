import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import { errorMessage } from '../agent/errors';
import { isRecord, parseJson, type Json, type JsonObject } from '../agent/json';
import { durationMs } from '../tools/duration';
import { usageError } from './command-error';

/** Parses an option's number, as commander wants it. */
export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of at least 1.');
}

export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port < 65_536) return port;
  throw new InvalidArgumentError('Expected a port number, 1 to 65535.');
}

/** A port, or 0 for one that is free. */
export function portOrFree(text: string): number {
  return text === '0' ? 0 : portNumber(text);
}

/** Milliseconds of `90s`, `30m`, `2 days`; `forever` is Infinity. */
export function waitDuration(text: string): number {
  if (text === 'forever') return Infinity;
  return duration(text);
}

export function duration(text: string): number {
  try {
    return durationMs('duration', text);
  } catch {
    throw new InvalidArgumentError('Expected a duration such as 500ms, 90s, 30m or 2h.');
  }
}

/** Reads an option's JSON: the text itself, or `-` for standard input. */
export async function jsonOption(option: string, text: string): Promise<Json> {
  const given = text === '-' ? await standardInput() : text;
  const value = parseJson(given);
  if (value !== undefined) return value;
  const sample = option === '--context' ? `'{"customer":7}'` : `'{"key":"value"}'`;
  throw usageError(`What ${option} was given is not JSON.`, `Quote it for your shell: ${option} ${sample}`);
}

export async function jsonObjectOption(option: string, text: string): Promise<JsonObject> {
  const value = await jsonOption(option, text);
  if (isRecord(value)) return value;
  throw usageError(`Expected ${option} to be a JSON object, such as ${option} '{"key":"value"}'.`);
}

/** A text as given, or all of standard input for `-`. */
export async function textArgument(text: string): Promise<string> {
  return text === '-' ? standardInput() : text;
}

export async function fileOrInput(option: string, path: string): Promise<string> {
  if (path === '-') return standardInput();
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${path}, which ${option} names (${errorMessage(error)}).`);
  }
}

async function standardInput(): Promise<string> {
  return (await readAll(process.stdin)).replace(/\n$/, '');
}
