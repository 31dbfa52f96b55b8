/** Every block of every page is checked: code by the compiler, in one program; commands by `commands.check.test.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blocksOf, placeOf, type Block } from './blocks';
import { pages, ROOT } from './pages';
import { problemsOf } from './typed-blocks';

const blocks = pages().flatMap(blocksOf);
const checked = blocks.filter(({ marks }) => marks.unchecked === undefined);
const inLanguage = (language: string): Block[] => checked.filter((block) => block.language === language);

const CHECKED = ['ts', 'sh', 'json', 'yaml'];
/** Output and pictures: nobody pastes them. */
const SHOWN = ['text', 'mermaid'];

/** What a page might get wrong. */
const WRONG: readonly Block[] = [
  ["import { createClient } from 'holdpoint/client';\n\nvoid createClient({ adress: 'x' });\n", {}],
  [
    "import { okResult } from 'holdpoint';\nawait client.waitForHlat(okResult('x').output);\n",
    { setup: ['client'] },
  ],
  ["import { desk } from './nowhere';\n", {}],
].map(([text, marks], at) => ({
  page: 'docs/made-up.md',
  line: 10 * (at + 1),
  language: 'ts',
  text: text as string,
  marks: marks as Block['marks'],
}));

let problems: readonly string[];
beforeAll(() => {
  // Lines of a file that the project itself compiles need not stand alone.
  const alone = inLanguage('ts').filter(({ marks }) => marks.from === undefined);
  problems = problemsOf([...alone, ...WRONG]);
}, 240_000);

const isMadeUp = (problem: string): boolean => problem.startsWith('docs/made-up.md:');

test('every TypeScript block compiles under the strict settings of this project', () => {
  expect(inLanguage('ts').length).toBeGreaterThan(20);
  expect(problems.filter((problem) => !isMadeUp(problem))).toEqual([]);
});

test('the compiler sees them: a wrong option, a wrong name and a missing file are found, at their lines', () => {
  expect(problems.filter(isMadeUp)).toEqual([
    expect.stringMatching(/^docs\/made-up\.md:12: .*'adress'/),
    expect.stringMatching(/^docs\/made-up\.md:21: .*'waitForHlat'/),
    expect.stringMatching(/^docs\/made-up\.md:30: Cannot find module '\.\/nowhere'/),
  ]);
});

test('every block names a language that is checked here, is only shown, or says why it is not checked', () => {
  const known = [...CHECKED, ...SHOWN];
  expect(checked.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([]);
  const silent = blocks.filter(({ marks }) => marks.unchecked?.trim() === '');
  expect(silent.map(placeOf)).toEqual([]);
});

test('a block that is from a file is in it, word by word', () => {
  const from = blocks.filter(({ marks }) => marks.from !== undefined);
  expect(from.length).toBeGreaterThan(5);
  // A page's formatting has an indentation of its own.
  const words = (code: string): string => code.replace(/\s+/g, ' ').trim();
  const strange = from.filter(({ text, marks }) => {
    const path = join(ROOT, marks.from ?? '');
    return !existsSync(path) || !words(readFileSync(path, 'utf8')).includes(words(text));
  });
  expect(strange.map(placeOf)).toEqual([]);
});

test('JSON and YAML can be read', () => {
  const unread = [...inLanguage('json'), ...inLanguage('yaml')].filter(({ language, text }) => {
    try {
      return (language === 'json' ? (JSON.parse(text) as unknown) : parse(text)) === undefined;
    } catch {
      return true;
    }
  });
  expect(unread.map(placeOf)).toEqual([]);
});
