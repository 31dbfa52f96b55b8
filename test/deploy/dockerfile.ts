import { readFileSync } from 'node:fs';

/** One line of a Dockerfile, its continuations joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** A `FROM` and what follows it. */
export interface Stage {
  readonly image: string;
  readonly as?: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the forms that our Dockerfile uses; throws for a line before the first `FROM`. */
export function readDockerfile(path: string): Stage[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#') && line.trim() !== '')
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const stages: { image: string; as?: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') {
      const [, image = '', as] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ image, ...(as !== undefined && { as }), instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage || name === '') throw new Error(`${path} has a line that is not understood: ${line}`);
    stage.instructions.push({ name, rest });
  }
  return stages;
}

/** The last instruction of that name, as it counts. */
export function lastOf(stage: Stage, name: string): string | undefined {
  return stage.instructions.findLast((instruction) => instruction.name === name)?.rest;
}

/** `["a", "b"]` as a list; the other form, which starts a shell, is refused. */
export function execForm(rest: string | undefined): string[] {
  const list: unknown = rest === undefined ? [] : JSON.parse(rest);
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw new Error(`Expected a list of strings, got ${String(rest)}`);
  return list;
}

/** A `COPY`: from where, what, and to where. */
export function copyOf(rest: string): {
  readonly from?: string;
  readonly sources: string[];
  readonly to: string;
} {
  const words = rest.split(/\s+/);
  const [, from] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
  const paths = from === undefined ? words : words.slice(1);
  return { ...(from !== undefined && { from }), sources: paths.slice(0, -1), to: paths.at(-1) ?? '' };
}
