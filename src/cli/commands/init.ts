import type { Command } from 'commander';
import { relative, resolve } from 'node:path';
import { EXIT } from '../exit-codes';
import { writeProject } from '../init/project';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { shellQuote } from '../shell-quote';

export function initCommand(): Command {
  const command = newCommand('init', {
    summary: 'put a small working project into an empty folder: agent, client, test',
    details: 'Overwrites nothing. It works without an API key; `npm test` passes as it is',
    examples: ['holdpoint init my-agents', 'holdpoint init .'],
    exits: ['done'],
  }).argument('[folder]', 'an empty folder, or one to make', '.');
  return withJson(command).action(init);
}

async function init(given: string, options: OutputOptions): Promise<void> {
  await carryOut(options, async (output) => {
    const folder = resolve(given);
    const files = writeProject(folder);
    const way = relative(process.cwd(), folder);
    output.result({ folder, files }, [
      `${folder} has a project: ${files.join(', ')}.`,
      '',
      'Next:',
      ...(way === '' ? [] : [`  cd ${shellQuote(way)}`]),
      '  npm install',
      '  npm test          # the agent, without a server',
      '  npm run dev       # a Temporal server, the inbox and a worker',
      '',
      'Later, `npx holdpoint keys create` makes keys for `holdpoint serve`. They are in holdpoint.config.json, which',
      'the project’s .gitignore keeps out of Git.',
    ]);
    return EXIT.done;
  });
}
