import { placeOf, type Block } from './blocks';

/** One command of a block, as a shell would take it apart. */
export interface CommandLine {
  readonly block: Block;
  /** As it stands in the block, without the comment after it. */
  readonly line: string;
  readonly words: readonly string[];
}

/** `docs/guide.md:12: npm test`, for titles and problems. */
export function nameOf({ block, line }: CommandLine): string {
  return `${placeOf(block)}: ${line}`;
}

/**
 * The commands of a block: lines, those joined by a backslash at their end, and parts joined by `&&` or a pipe. What
 * stands in `source <(…)` is the command there, and a redirection is none of a command's words.
 */
export function commandLines(block: Block): CommandLine[] {
  return block.text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)#(?:\s.*)?$/, '').trim())
    .map((line) => line.replace(/^source <\((.*)\)$/, '$1'))
    .flatMap((line) => partsOf(wordsOf(line)))
    .filter((words) => words.length > 0)
    .map((words) => ({ block, line: words.map(quoted).join(' '), words }));
}

/** Enough of a shell for what belongs on a page: words, both kinds of quotes, no substitutions. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word);
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

function partsOf(words: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const word of words)
    if (word === '&&' || word === '|') parts.push([]);
    else parts.at(-1)?.push(word);
  return parts.map((part) => {
    const end = part.findIndex((word) => word === '>' || word === '<');
    return end < 0 ? part : part.slice(0, end);
  });
}

/** As a POSIX shell reads it. */
function quoted(word: string): string {
  if (/^[\w./:@=<>|-]+$/.test(word)) return word;
  return word.includes("'") ? JSON.stringify(word) : `'${word}'`;
}
