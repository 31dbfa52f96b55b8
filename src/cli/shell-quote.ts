import { visibleLine } from '../agent/visible-text';

const HARMLESS = /^[\w./:@%+=,-]+$/;

/**
 * An argument as a shell reads it. What the terminal would hide goes into `$'…'`, which bash and zsh read: the
 * line that is shown is the line that runs.
 */
export function shellQuote(argument: string): string {
  if (HARMLESS.test(argument)) return argument;
  if (visibleLine(argument) === argument) return `'${argument.replaceAll("'", `'\\''`)}'`;
  const escaped = [...argument].map((char) => {
    if (char === "'" || char === '\\') return `\\${char}`;
    return visibleLine(char) === char ? char : bytesOf(char);
  });
  return `$'${escaped.join('')}'`;
}

function bytesOf(char: string): string {
  return [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
