/** Every command of every page is one that there is, with options that it has. Those marked `run` are run as well. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findServerBinary, INSTALLED } from '../../src/testing/server-binary';
import { blocksOf } from './blocks';
import { commandLines, nameOf } from './command-lines';
import { KNOWN, type Check } from './known-commands';
import { pages } from './pages';

const execute = promisify(execFile);

let temporal: string;
beforeAll(async () => {
  temporal = await findServerBinary({ env: process.env, onProgress: () => undefined }, INSTALLED, []);
});

/** Asks the real command for its help: each option that a page gives it must be there. */
const checkTemporal: Check = async (words) => {
  const end = words.findIndex((word) => word.startsWith('-'));
  const { stdout } = await execute(temporal, [...words.slice(0, end < 0 ? undefined : end), '--help']);
  const options = words.filter((word) => word.startsWith('--'));
  const strange = options.filter((option) => !stdout.includes(`${option.split('=')[0] ?? ''} `));
  if (!stdout.includes(`temporal ${words.slice(0, 2).join(' ')}`)) return 'there is no such command';
  return strange.length > 0 ? `it has no ${strange.join(', ')}` : undefined;
};

const lines = pages()
  .flatMap(blocksOf)
  .filter(({ language, marks }) => language === 'sh' && marks.unchecked === undefined)
  .flatMap(commandLines);

test('there are commands on the pages', () => expect(lines.length).toBeGreaterThan(20));

test.each(lines.map((line) => [nameOf(line), line] as const))('%s', async (_, line) => {
  // Settings before a command are the reader's.
  const words = line.words.slice(line.words.findIndex((word) => !/^[A-Z_]+=/.test(word)));
  const [name = '', ...rest] = words;
  const check = name === 'temporal' ? checkTemporal : KNOWN[name];
  if (!check)
    throw new Error(
      `Nothing here checks ${name}: teach known-commands.ts, or mark the block <!-- unchecked: why -->.`,
    );
  expect(await check(rest, line)).toBeUndefined();
});

test.each([
  ['npm', ['run', 'demmo'], /no script demmo/],
  ['npm', ['install', 'holdpiont'], /holdpiont is no package/],
  ['npx', ['holdpoint', 'anser', 'ticket-77'], /unknown command/],
  ['npx', ['holdpoint', 'answer', 'ticket-77', '--aprove'], /unknown option/],
  ['npx', ['holdpoint', 'run', 'desk'], /missing required argument/],
  ['npx', ['tsx', 'examples/nowhere.ts'], /no file/],
])('a mistake is found: %s %j', async (name, words, problem) => {
  const [block] = pages().flatMap(blocksOf);
  if (!block) throw new Error('no blocks');
  expect(await KNOWN[name]?.(words, { block, line: '', words })).toMatch(problem);
});

test('a mistake in a temporal command is found', async () => {
  const line = { line: '', words: [] };
  const [block] = pages().flatMap(blocksOf);
  if (!block) throw new Error('no blocks');
  const check = (words: readonly string[]) => checkTemporal(words, { ...line, block });
  expect(await check(['workflow', 'signal', '--workflow-id', 'a', '--nam', 'b'])).toBe('it has no --nam');
  expect(await check(['workflow', 'signl'])).toBe('there is no such command');
});
