import { readPage } from './pages';

/**
 * What an HTML comment before a block says of it; readers do not see it.
 *
 * - `<!-- setup: client halted -->`: a fragment, which uses what these files in `setups/` declare.
 * - `<!-- file: agents.ts -->`: a file of this name, which other blocks of the page may import.
 * - `<!-- from: examples/x.ts -->`: lines of that file, word by word.
 * - `<!-- run -->`: its commands are run, in their order, by `guide.run.test.ts`.
 * - `<!-- unchecked: why -->`: it cannot be checked here.
 */
export interface Marks {
  readonly setup?: readonly string[];
  readonly file?: string;
  readonly from?: string;
  readonly run?: true;
  readonly unchecked?: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Line of its first line of text, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly marks: Marks;
}

const FENCE = /^```(\S*)\n([^]*?)^```$/gm;
const MARK = /<!-- (setup|file|from|run|unchecked)(?:: ([^]+?))? -->/g;

export function blocksOf(page: string): Block[] {
  const content = readPage(page);
  return [...content.matchAll(FENCE)].map(({ index, 1: language = '', 2: text = '' }) => {
    const before = content.slice(0, index);
    return { page, line: before.split('\n').length + 1, language, text, marks: marksOf(before) };
  });
}

/** The comments that stand right before a block. */
function marksOf(before: string): Marks {
  const [comments = ''] = /(?:<!--(?:(?!-->)[^])*-->\s*)*$/.exec(before) ?? [];
  const given = new Map([...comments.matchAll(MARK)].map(([, name = '', value = '']) => [name, value]));
  const text = (name: 'file' | 'from' | 'unchecked') => {
    const value = given.get(name);
    return value !== undefined && { [name]: value };
  };
  const setup = given.get('setup');
  return {
    ...(setup !== undefined && { setup: setup.split(' ') }),
    ...text('file'),
    ...text('from'),
    ...(given.has('run') && { run: true as const }),
    ...text('unchecked'),
  };
}

/** `docs/guide.md:12`, for titles and problems. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}
