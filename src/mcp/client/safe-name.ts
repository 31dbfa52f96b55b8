import { createHash } from 'node:crypto';

/** The most characters that providers take in a tool's name. */
const MAX_NAME = 64;
const HASH_LENGTH = 8;

/**
 * The name under which a server's tool is an agent's: `<server>__<tool>`. What providers refuse in a name is
 * written as `_x<code>_`, so that two tools of one server never get the same name. A name that is too long keeps
 * its beginning and ends in a digest of the whole.
 */
export function safeToolName(server: string, tool: string): string {
  return cut(`${escaped(server)}__${escaped(tool)}`);
}

/** The name of a tool of one's own, in the same way. */
export function providerSafeName(tool: string): string {
  return cut(escaped(tool));
}

function cut(name: string): string {
  // One of the full length was cut, so that it never is a shorter one's.
  if (name.length < MAX_NAME) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${digest}`;
}

/** The server's name for a tool; undefined for a name that was cut, or is none of ours. */
export function remoteToolName(server: string, name: string): string | undefined {
  const prefix = `${escaped(server)}__`;
  if (!name.startsWith(prefix) || name.length >= MAX_NAME) return undefined;
  const tool = unescaped(name.slice(prefix.length));
  return safeToolName(server, tool) === name ? tool : undefined;
}

function escaped(name: string): string {
  // An underscore is written out where it would look like the beginning of an escape or of the tool's name.
  const plain = name.replaceAll(/_(?=[x_])/g, '_x5f_');
  return plain.replaceAll(/[^A-Za-z0-9_-]/gu, (character) => `_x${character.codePointAt(0)?.toString(16)}_`);
}

function unescaped(name: string): string {
  return name.replaceAll(/_x([0-9a-f]+)_/g, (all, code: string) => {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}
