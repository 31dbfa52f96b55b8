import type { DefineError } from './define-error';

/** The most characters of a tool's name. */
const MAX_NAME = 128;
const ALLOWED = /^[A-Za-z0-9._/-]$/;

/** Splits text into what a reader takes for one character. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Says why a name cannot be a tool's: the length is looked at before the characters. */
export function toolNameError(name: string): DefineError | undefined {
  if (name === '') return { kind: 'EmptyName' };
  const parts = Array.from(characters.segment(name), ({ segment }) => segment);
  if (parts.length > MAX_NAME) return { kind: 'NameTooLong', name, max: MAX_NAME, actual: parts.length };
  const character = parts.find((part) => !ALLOWED.test(part));
  return character === undefined ? undefined : { kind: 'InvalidNameCharacter', name, character };
}

/** A warning about a name that is taken and that some clients refuse, or `undefined`. */
export function toolNameWarning(name: string): string | undefined {
  if (!name.includes('/')) return undefined;
  return `The name of tool ${name} holds "/", which the specification of MCP leaves out: some clients refuse it.`;
}
