import type { CommandNode, OptionNode, ProgramTree } from './tree';

/** A completion for bash 4 or newer: `source <(holdpoint completion bash)`. */
export function bashCompletion({ program, commands }: ProgramTree): string {
  const nodes = [program, ...commands];
  return `# Completion of holdpoint for bash.
_holdpoint() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command= words= files= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      -*) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $prev" in
${nodes.flatMap((node) => valueCases(node, node === program ? '' : node.name)).join('\n')}
  esac
  case $command in
    '') words='${[...optionWords(program), ...commands.map(({ name }) => name)].join(' ')}' ;;
${commands.map(commandCase).join('\n')}
  esac
  if [[ -n $files && $cur != -* ]]; then compopt -o default; return; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _holdpoint holdpoint
`;
}

/** After an option that takes a value come its choices, files, or nothing. */
function valueCases(node: CommandNode, name: string): string[] {
  return node.options
    .filter(({ value }) => value === 'required')
    .map((option) => {
      const pattern = flagsOf(option)
        .map((flag) => `'${name} ${flag}'`)
        .join(' | ');
      if (option.isFile) return `    ${pattern}) compopt -o default; return ;;`;
      if (option.choices.length === 0) return `    ${pattern}) return ;;`;
      return `    ${pattern}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur")); return ;;`;
    });
}

function commandCase(node: CommandNode): string {
  const words = [...optionWords(node), ...node.arguments.flatMap(({ choices }) => choices)];
  const files = node.arguments.some(({ isFile }) => isFile) ? ' files=1' : '';
  return `    ${node.name}) words='${words.join(' ')}'${files} ;;`;
}

function optionWords({ options }: CommandNode): string[] {
  return options.flatMap(flagsOf);
}

function flagsOf({ short, long }: OptionNode): string[] {
  return short === undefined ? [long] : [short, long];
}
