import { Command, type OutputConfiguration } from 'commander';
import { exitCodesText, type ExitCode, type ExitName } from './exit-codes';
import { newOutput, type Output, type OutputOptions } from './output';

/** What a help page says beside the options. */
export interface About {
  /** One line, for the list of commands. */
  readonly summary: string;
  /** A sentence or two more. */
  readonly details?: string;
  /** Lines to paste. The first one must work as it is. */
  readonly examples: readonly string[];
  /** Exit codes that the command has beside those that every command has. */
  readonly exits: readonly ExitName[];
}

/** A command whose usage errors are thrown, and whose help shows an example and its exit codes. */
export function newCommand(name: string, { summary, details, examples, exits }: About): Command {
  const help = [
    '',
    examples.length > 1 ? 'Examples:' : 'Example:',
    ...examples.map((line) => `  $ ${line}`),
    '',
    exitCodesText(exits),
  ];
  return new Command(name)
    .summary(summary)
    .description(sentences(summary, details))
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput(ERRORS_ARE_OURS)
    .showSuggestionAfterError()
    .showHelpAfterError(`\`holdpoint ${name} --help\` shows what it takes.`)
    .addHelpText('after', help.join('\n'));
}

/** Errors of usage begin as all others of the command do. */
export const ERRORS_ARE_OURS: OutputConfiguration = {
  outputError: (text, write) => write(text.replace(/^error: /, 'holdpoint: ')),
};

function sentences(summary: string, details: string | undefined): string {
  const first = summary.charAt(0).toUpperCase() + summary.slice(1);
  return details === undefined ? `${first}.` : `${first}. ${details}.`;
}

/** `--json` goes last in every list of options. */
export function withJson(command: Command, what = 'print one JSON document instead of text'): Command {
  return command.option('--json', what);
}

/** Runs the work of a command: whatever it throws becomes a sentence and an exit code. */
export async function carryOut(
  options: OutputOptions,
  work: (output: Output) => Promise<ExitCode>,
): Promise<void> {
  const output = newOutput(options);
  try {
    process.exitCode = await work(output);
  } catch (error) {
    process.exitCode = output.failure(error);
  }
}
