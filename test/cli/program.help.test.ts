import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, exitCodesText, exitOfError } from '../../src/cli/exit-codes';
import { buildProgram } from '../../src/cli/program';
import { documentOf, holdpoint } from './command';

const commands = buildProgram().commands.map((command) => [command.name(), command] as const);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

test.each(commands)('%s --help shows an example of it, its exit codes, and --json', (name, command) => {
  const help = helpOf(command);
  expect(help).toMatch(new RegExp(`^Examples?:\n  \\$ .*\\bholdpoint ${name}\\b`, 'm'));
  expect(help).toMatch(/^Exit codes:\n {2}0 {2}done.*\n {2}1 {2}.*\n {2}2 {2}/m);
  expect(help).toContain('--json ');
});

test.each(commands)('%s --help says each default once', (_, command) => {
  for (const line of helpOf(command)
    .replace(/\n {10,}/g, ' ')
    .split('\n'))
    expect(line.match(/\(default: /g)?.length ?? 0).toBeLessThan(2);
});

test.each(commands)('the examples of %s are command lines that it takes', (name) => {
  const help = helpOf(commandNamed(name));
  const lines = [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
  const own = lines.flatMap((line) => /\bholdpoint (\S+)([^<|)]*)/.exec(line)?.[2] ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const rest of own) expect(parse(name, wordsOf(rest))).toBeUndefined();
});

test('the codes that the page documents are those that the help lists, and stay what they are', () => {
  expect(EXIT).toEqual({
    done: 0,
    unexpected: 1,
    usage: 2,
    pending: 3,
    ended: 4,
    refused: 5,
    unavailable: 6,
    waiting: 7,
  });
  const page = readFileSync(join(__dirname, '../../docs/cli.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d) +\| (.*?) +\|$/gm)].map(
    ([, code, meaning]) => `  ${code}  ${meaning}`,
  );
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  expect(exitCodesText(names).split('\n').slice(1)).toEqual(rows);
});

test.each([
  ['Holdpoint.Answer.AlreadyAnswered', 5],
  ['Holdpoint.Run.NotFound', 5],
  ['Holdpoint.Conversation.Pending', 5],
  ['Holdpoint.Run.InvalidInput', 2],
  ['Holdpoint.Worker.InvalidOptions', 2],
  ['Holdpoint.Agent.InvalidDefinition', 2],
  ['Holdpoint.Server.PortTaken', 6],
  ['Holdpoint.Server.InvalidOptions', 2],
  ['Holdpoint.Worker.MissingSearchAttributes', 6],
  ['Holdpoint.Client.NoWorker', 6],
  ['Holdpoint.Transcript.Unreadable', 1],
])('%s exits %i', (type, code) => {
  expect(exitOfError(type)).toBe(code);
});

test('an option or command that does not exist is refused with 2, and the one that was meant is named', async () => {
  const option = await holdpoint(['requests', '--jsom'], { env: {} });
  expect(option).toMatchObject({ code: 2, stdout: '' });
  expect(option.stderr).toMatch(
    /^holdpoint: unknown option '--jsom'\n\(Did you mean --json\?\)\n.*requests --help/,
  );
  const command = await holdpoint(['anser', '--json'], { env: {} });
  expect(command.stderr).toContain('(Did you mean answer?)');
  expect(documentOf(command)).toMatchObject({ error: { type: 'Holdpoint.Command.Usage' } });
});

function commandNamed(name: string): Command {
  const command = buildProgram().commands.find((candidate) => candidate.name() === name);
  if (!command) throw new Error(`There is no command ${name}`);
  return command;
}

/** Why the command would not take these words; it is not carried out. */
function parse(name: string, words: readonly string[]): string | undefined {
  const command = commandNamed(name).action(() => undefined);
  try {
    command.configureOutput({ writeErr: () => undefined }).parse([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The words of a shell line without redirections. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
}
