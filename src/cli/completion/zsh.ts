import type { ArgumentNode, CommandNode, OptionNode, ProgramTree } from './tree';

/** A completion for zsh: sourced after `compinit`, or as a file `_holdpoint` in a folder of `fpath`. */
export function zshCompletion({ program, commands }: ProgramTree): string {
  return `#compdef holdpoint
# Completion of holdpoint for zsh.
_holdpoint_commands() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _describe command commands
}
_holdpoint() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${[
  ...program.options.map(optionSpec),
  quoted('1:command:_holdpoint_commands'),
  quoted('*::argument:->argument'),
]
  .map((spec) => `    ${spec}`)
  .join(' \\\n')}
  case $state in argument)
    case $words[1] in
${commands.map(commandCase).join('\n')}
    esac
  esac
}
if [[ $funcstack[1] = _holdpoint ]]; then _holdpoint "$@"; else compdef _holdpoint holdpoint; fi
`;
}

function commandCase(node: CommandNode): string {
  const specs = [
    ...node.options.map(optionSpec),
    ...node.arguments.map((argument, at) => quoted(`${at + 1}:${argument.name}:${actionOf(argument)}`)),
  ];
  return `      ${node.name})\n        _arguments \\\n${specs.map((spec) => `          ${spec}`).join(' \\\n')} ;;`;
}

function optionSpec(option: OptionNode): string {
  const { short, long, description, value, valueName } = option;
  const text = `[${description.replace(/[[\]\\:]/g, (char) => `\\${char}`)}]`;
  const colons = { none: '', optional: `::${valueName}:`, required: `:${valueName}:` }[value];
  const rest = quoted(text + (colons === '' ? '' : colons + actionOf(option)));
  return short === undefined ? `${quoted(long)}${rest}` : `'(${short} ${long})'{${short},${long}}${rest}`;
}

/** What completes a value; a blank for what only its author knows. */
function actionOf({ isFile, choices }: ArgumentNode | OptionNode): string {
  if (isFile) return '_files';
  return choices.length === 0 ? ' ' : `(${choices.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
