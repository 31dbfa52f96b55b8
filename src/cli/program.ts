import { Command, CommanderError } from 'commander';
import { answerCommand } from './commands/answer';
import { askCommand } from './commands/ask';
import { cancelCommand } from './commands/cancel';
import { completionCommand } from './commands/completion';
import { devCommand } from './commands/dev';
import { initCommand } from './commands/init';
import { keysCommand } from './commands/keys';
import { listCommand } from './commands/list';
import { mcpCommand } from './commands/mcp';
import { requestsCommand } from './commands/requests';
import { runCommand } from './commands/run';
import { serveCommand } from './commands/serve';
import { setupCommand } from './commands/setup';
import { showCommand } from './commands/show';
import { workerCommand } from './commands/worker';
import { ALL_EXITS, EXIT, exitCodesText } from './exit-codes';
import { ERRORS_ARE_OURS } from './new-command';
import { newOutput } from './output';
import { packageVersion } from './package-version';
import { visibleJson } from '../agent/visible-text';

const HELP = `
Where the runs are comes from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and Temporal's other settings, or from
--address and --namespace. HOLDPOINT_DEBUG=1 shows where an error comes from.

${exitCodesText(ALL_EXITS)}

Examples:
  $ holdpoint run refund-desk 'Please refund order 1047'
  $ holdpoint requests
  $ holdpoint answer <run> --approve`;

/** The whole command, as a tree: the help pages and the completions are made of it. */
export function buildProgram(): Command {
  const program = new Command('holdpoint')
    .description('Runs of tool-using agents that wait for people: start them, see what they wait on, answer.')
    .version(packageVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureOutput(ERRORS_ARE_OURS)
    .showSuggestionAfterError()
    .addHelpText('after', HELP);
  for (const command of [
    initCommand(),
    devCommand(),
    workerCommand(),
    serveCommand(),
    mcpCommand(),
    keysCommand(),
    runCommand(),
    askCommand(),
    listCommand(),
    requestsCommand(),
    answerCommand(),
    showCommand(),
    cancelCommand(),
    setupCommand(),
    completionCommand(),
  ])
    program.addCommand(command);
  return program;
}

/** Runs one command line and gives its exit code. Never throws. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (!(error instanceof CommanderError)) return newOutput({ json: wantsJson(args) }).failure(error);
    // Help that was asked for. Everything else of commander's is wrong usage, which it has printed.
    if (error.exitCode === 0) return EXIT.done;
    if (wantsJson(args)) {
      const message = error.message.replace(/^error: /, '');
      process.stdout.write(`${visibleJson({ error: { type: 'Holdpoint.Command.Usage', message } })}\n`);
    }
    return EXIT.usage;
  }
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}
