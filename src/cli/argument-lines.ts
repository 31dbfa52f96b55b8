import type { Json } from '../agent/json';
import { isRecord } from '../agent/json';
import { visible, visibleJson } from '../agent/visible-text';

/**
 * Arguments as a person reads them, whole: a name and its JSON value a line, so that "1047" and 1047 differ. A
 * text of several lines stands below its name, each line after a bar.
 */
export function argumentLines(value: Json): string[] {
  if (!isRecord(value)) return visibleJson(value, 2).split('\n');
  const entries = Object.entries(value);
  if (entries.length === 0) return ['(no arguments)'];
  const names = entries.map(([name]) => visibleJson(name).slice(1, -1));
  const width = Math.max(...names.map((name) => name.length));
  return entries.flatMap(([, entry], at) => {
    const name = (names[at] ?? '').padEnd(width);
    if (typeof entry === 'string' && entry.includes('\n'))
      return [name.trimEnd(), ...entry.split('\n').map((line) => `  | ${visible(line)}`)];
    const [first = '', ...rest] = visibleJson(entry, 2).split('\n');
    return [`${name}  ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

export function indented(lines: readonly string[], by = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : by + line));
}
