import type { CommandNode, OptionNode, ProgramTree } from './tree';

/** A completion for fish: `holdpoint completion fish > ~/.config/fish/completions/holdpoint.fish`. */
export function fishCompletion({ program, commands }: ProgramTree): string {
  const lines = [
    '# Completion of holdpoint for fish.',
    'complete -c holdpoint -f',
    ...program.options.map(
      (option) => `complete -c holdpoint -n __fish_use_subcommand ${optionFlags(option)}`,
    ),
    ...commands.map(
      ({ name, summary }) =>
        `complete -c holdpoint -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, options, arguments: args }: CommandNode): string[] {
  const start = `complete -c holdpoint -n '__fish_seen_subcommand_from ${name}'`;
  const choices = args.flatMap((argument) => argument.choices);
  return [
    ...options.map((option) => `${start} ${optionFlags(option)}`),
    ...(args.some(({ isFile }) => isFile) ? [`${start} -F`] : []),
    ...(choices.length > 0 ? [`${start} -a ${quoted(choices.join(' '))}`] : []),
  ];
}

function optionFlags({ short, long, description, value, isFile, choices }: OptionNode): string {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    // A value that is not a file's name: no files are offered.
    ...(value === 'required' ? [isFile ? '-r -F' : '-x'] : []),
    ...(choices.length > 0 ? [`-a ${quoted(choices.join(' '))}`] : []),
    `-d ${quoted(description)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;
}
