import type { Command } from 'commander';
import { withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { portNumber } from '../values';

export interface DevFlags extends ConnectionFlags, OutputOptions {
  readonly port?: number;
  readonly httpPort?: number;
  readonly config?: string;
}

export function devCommand(): Command {
  const command = newCommand('dev', {
    summary: 'develop agents: a Temporal server, a worker, the inbox, and a restart when the file changes',
    details:
      'Uses the Temporal server that is configured, or starts one whose database is .holdpoint/temporal.db, so that runs that wait survive a restart. Ctrl-C ends all of it. The model comes from OPENAI_API_KEY, or OPENAI_BASE_URL',
    examples: [
      'holdpoint dev agents.ts',
      'OPENAI_BASE_URL=http://127.0.0.1:11434/v1 holdpoint dev agents.ts',
    ],
    exits: ['done', 'unavailable'],
  })
    .argument('<file>', 'TypeScript or JavaScript; exports agents, by default or as `agents`')
    .option(
      '--port <n>',
      'port of a server of its own; its page is 1000 above (default: 7233, unless one is configured)',
      portNumber,
    )
    .option(
      '--http-port <n>',
      'port of the API and the inbox (default: 7080, or a free one where that is taken)',
      portNumber,
    )
    .option(
      '--config <file>',
      'the configuration of API and webhooks (default: .holdpoint/config.json, made with a key)',
    );
  return withJson(
    withConnection(command, { taskQueue: true }),
    'print a line of JSON for each event; what the agents print goes to standard error',
  ).action(async (file: string, flags: DevFlags) => {
    await carryOut(flags, async (output) => {
      const { develop } = await import('../dev/develop.js');
      await develop(file, flags, output);
      return EXIT.done;
    });
    process.stdout.write('', () => process.exit());
  });
}
