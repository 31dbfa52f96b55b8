import type { Command } from 'commander';

/** The command's tree as completions need it: made from the same definitions as the help. */
export interface CommandNode {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ArgumentNode[];
}

export interface OptionNode {
  readonly short?: string;
  readonly long: string;
  readonly description: string;
  readonly value: 'none' | 'optional' | 'required';
  /** The value's name, such as `duration`. */
  readonly valueName: string;
  readonly isFile: boolean;
  readonly choices: readonly string[];
}

export interface ArgumentNode {
  readonly name: string;
  readonly isFile: boolean;
  readonly choices: readonly string[];
}

/** The program's own node, without arguments, and those of its commands. */
export interface ProgramTree {
  readonly program: CommandNode;
  readonly commands: readonly CommandNode[];
}

export function treeOf(program: Command): ProgramTree {
  const commands = program.createHelp().visibleCommands(program);
  return { program: nodeOf(program), commands: commands.map(nodeOf) };
}

function nodeOf(command: Command): CommandNode {
  const options = command.createHelp().visibleOptions(command);
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: options.map((option) => {
      const [, valueName = ''] = /[<[]([^\]>]+)[\]>]/.exec(option.flags) ?? [];
      return {
        ...(option.short !== undefined && { short: option.short }),
        long: option.long ?? '',
        description: option.description,
        value: option.required ? 'required' : option.optional ? 'optional' : 'none',
        valueName,
        isFile: valueName === 'file',
        choices: option.argChoices ?? [],
      };
    }),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      isFile: argument.name() === 'file',
      choices: argument.argChoices ?? [],
    })),
  };
}
