/**
 * What a terminal would obey, hide, or show in another order than it stands: control and format characters,
 * separators and spaces that are not what they look like, halves of characters, code points nobody has defined.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2000-\u200a\u205f\u2800]/gu;

/** Format characters that have a shape of their own: signs that span Arabic digits. */
const SIGNS = /[\u0600-\u0605\u06dd\u08e2]/u;
/** Joiners between letters of the scripts that spell with them, and what makes an emoji of several. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Sinhala}]$/u;
const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' };

/**
 * A text that came from a model, a tool or a person, safe to print: what would be hidden shows as an escape,
 * line breaks and tabs stay, ordinary text of any script stays as it is.
 */
export function visible(text: string): string {
  return replaceHidden(text, (char) => (char === '\n' || char === '\t' ? char : escaped(char)));
}

/** The same on one line: line breaks and tabs show as escapes too. */
export function visibleLine(text: string): string {
  return replaceHidden(text, escaped);
}

/** JSON text in which nothing is hidden and that still reads as the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return replaceHidden(text, (char) =>
    char === '\n' ? char : [...char.split('')].map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join(''),
  );
}

/** A piece of a text; `hidden` ones stand for characters that a reader would not see. */
export interface VisiblePart {
  readonly text: string;
  readonly hidden: boolean;
}

/** White space that is long enough to push what follows it out of sight. */
const PADDING = /[ \u00a0\u3000\t]{24,}|(?:[ \u00a0\u3000\t]*\n){5,}[ \u00a0\u3000\t]*/g;

/**
 * The same as `visible`, in parts, for a page that can tell an escape from a text that is spelled like one. Padding
 * is counted in place of being shown.
 */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  const add = (piece: string, hidden: boolean): void => {
    const last = parts.at(-1);
    if (piece === '') return;
    if (last?.hidden === hidden) parts[parts.length - 1] = { text: last.text + piece, hidden };
    else parts.push({ text: piece, hidden });
  };
  let from = 0;
  const addEscaped = (to: number): void => {
    const start = from;
    for (const match of text.slice(start, to).matchAll(HIDDEN)) {
      const [char] = match;
      const at = start + match.index;
      if (char === '\n' || char === '\t' || SIGNS.test(char) || isJoiner(text, char, at)) continue;
      add(text.slice(from, at), false);
      add(escaped(char), true);
      from = at + char.length;
    }
    add(text.slice(from, to), false);
    from = to;
  };
  for (const { 0: padding, index } of text.matchAll(PADDING)) {
    addEscaped(index);
    add(paddingName(padding), true);
    from = index + padding.length;
  }
  addEscaped(text.length);
  return parts;
}

function paddingName(padding: string): string {
  const breaks = padding.split('\n').length - 1;
  const others = padding.length - breaks;
  const names = [
    ...(breaks > 0 ? [`${breaks} line breaks`] : []),
    ...(others > 0 ? [`${others} ${others === 1 ? 'space' : 'spaces'}`] : []),
  ];
  return `[${names.join(', ')}]`;
}

/** At most so many characters of a line, the last one a `…` where it is cut. */
export function cutLine(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

function replaceHidden(text: string, replacement: (char: string) => string): string {
  return text.replace(HIDDEN, (char, at: number) =>
    SIGNS.test(char) || isJoiner(text, char, at) ? char : replacement(char),
  );
}

function isJoiner(text: string, char: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + char.length) ?? 0);
  switch (char) {
    case '\u200c':
      return JOINED.test(before) && JOINED.test(after);
    case '\u200d':
      return (JOINED.test(before) && JOINED.test(after)) || (EMOJI.test(before) && EMOJI.test(after));
    case '\ufe0f':
      return /^\p{Emoji}$/u.test(before);
    default:
      return false;
  }
}

function characterBefore(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return ESCAPES[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
