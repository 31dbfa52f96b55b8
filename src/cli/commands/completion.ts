import { Argument, type Command } from 'commander';
import { bashCompletion } from '../completion/bash';
import { fishCompletion } from '../completion/fish';
import { treeOf } from '../completion/tree';
import { zshCompletion } from '../completion/zsh';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

type Shell = keyof typeof SHELLS;

export function completionCommand(): Command {
  const command = newCommand('completion', {
    summary: 'print what makes a shell complete this command',
    details:
      'A shell completes the word `holdpoint`, so the command must be on the PATH: `npm install --global holdpoint`. In a project that has it, `npx holdpoint completion bash` prints the same, but a line that begins with npx is completed by nobody',
    examples: [
      'source <(holdpoint completion bash)',
      'source <(npx holdpoint completion bash)',
      'source <(holdpoint completion zsh)',
      'holdpoint completion fish | source',
    ],
    exits: ['done'],
  }).addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)));
  return withJson(command).action(completion);
}

async function completion(this: Command, shell: Shell, options: OutputOptions): Promise<void> {
  await carryOut(options, async (output) => {
    const tree = treeOf(this.parent ?? this);
    const script = SHELLS[shell](tree);
    output.result({ shell, script }, script.trimEnd());
    return EXIT.done;
  });
}
