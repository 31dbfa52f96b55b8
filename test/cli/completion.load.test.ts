import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { bashCompletion } from '../../src/cli/completion/bash';
import { fishCompletion } from '../../src/cli/completion/fish';
import { treeOf } from '../../src/cli/completion/tree';
import { zshCompletion } from '../../src/cli/completion/zsh';
import { buildProgram } from '../../src/cli/program';
import { hasTmux, Terminal } from '../examples/terminal';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment } from './command';

const run = promisify(execFile);
const tree = treeOf(buildProgram());

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-completion-'));
  writeFileSync(join(folder, 'agents.ts'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines that a shell was about to run, each with what it offers for the last word. */
const OFFERS: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['holdpoint req', ['requests']],
  ['holdpoint ask --while-pending ', ['refuse', 'queue', 'decline']],
  ['holdpoint answer --dec', ['--decline']],
  ['holdpoint completion ', ['bash', 'zsh', 'fish']],
  ['holdpoint worker ag', ['agents.ts']],
];

const inBash = has('bash') ? test : test.skip;
const inFish = has('fish') ? test : test.skip;
const inZsh = has('zsh') && hasTmux() ? test : test.skip;

inBash('bash completes commands, options and their choices', async () => {
  const script = join(folder, 'holdpoint.bash');
  writeFileSync(script, bashCompletion(tree));
  for (const [line, offered] of OFFERS.filter(([, words]) => words[0] !== 'agents.ts')) {
    const words = line.split(' ');
    const code = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length - 1}; _holdpoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-c', code]);
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining([...offered]));
    expect(stdout).not.toContain('--namespace');
  }
});

inFish('fish completes commands, options, their choices and files', async () => {
  const script = join(folder, 'holdpoint.fish');
  writeFileSync(script, fishCompletion(tree));
  for (const [line, offered] of OFFERS) {
    const { stdout } = await run('fish', ['-N', '-c', `source ${script}; complete -C '${line}'`], {
      cwd: folder,
    });
    const words = stdout
      .trim()
      .split('\n')
      .map((entry) => entry.split('\t')[0]);
    expect(words).toEqual(expect.arrayContaining([...offered]));
  }
});

inZsh('zsh completes commands, options, their choices and files', async () => {
  const script = join(folder, 'holdpoint.zsh');
  writeFileSync(script, zshCompletion(tree));
  const terminal = await Terminal.open('zsh', folder, commandEnvironment());
  try {
    await terminal.type('zsh -f');
    await terminal.type(
      `PS1='ready> '; autoload -U compinit; compinit -D; source ${script}; holdpoint() { echo "got $*" }`,
    );
    await terminal.shows(/^ready> $/m);
    for (const [line, offered] of OFFERS) {
      await terminal.press('C-u');
      await terminal.press(line);
      await terminal.press('Tab');
      for (const word of offered) await terminal.shows(new RegExp(`${word}`), 20_000);
    }
  } finally {
    await terminal.close();
  }
});

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}
