import { chmod, cp, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runCommand } from '../../../src/testing/run-command';
import { copyOf, execForm, lastOf, readDockerfile, type Stage } from '../dockerfile';
import { say } from './say';

/** What a Dockerfile makes, as a folder of this machine. */
export interface WorkerImage {
  /** Where the working directory of its processes is. */
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const STEP_TIMEOUT_MS = 10 * 60_000;

/**
 * Carries out a Dockerfile without Docker: each stage gets a folder for its file system, COPY copies there, and
 * RUN runs there with this machine's Node. Packages of the base image's distribution are not installed.
 */
export async function buildWorkerImage(
  dockerfile: string,
  context: string,
  into: string,
): Promise<WorkerImage> {
  const stages = readDockerfile(dockerfile);
  const roots = new Map<string, string>();
  let last: { readonly stage: Stage; readonly root: string } | undefined;
  for (const [index, stage] of stages.entries()) {
    const root = join(into, stage.as ?? `stage-${index}`);
    await mkdir(root, { recursive: true });
    if (stage.as !== undefined) roots.set(stage.as, root);
    await carryOut(stage, root, context, roots);
    last = { stage, root };
  }
  if (!last) throw new Error(`${dockerfile} has no stage`);
  return {
    workdir: join(last.root, lastOf(last.stage, 'WORKDIR') ?? '/'),
    entrypoint: execForm(lastOf(last.stage, 'ENTRYPOINT')),
    env: envOf(last.stage),
  };
}

async function carryOut(
  stage: Stage,
  root: string,
  context: string,
  roots: ReadonlyMap<string, string>,
): Promise<void> {
  let workdir = root;
  for (const { name, rest } of stage.instructions) {
    if (name === 'WORKDIR') await mkdir((workdir = join(root, rest)), { recursive: true });
    if (name === 'COPY') await copy(rest, workdir, context, roots);
    if (name === 'RUN') await run(rest, workdir, envOf(stage));
  }
}

async function copy(
  rest: string,
  workdir: string,
  context: string,
  roots: ReadonlyMap<string, string>,
): Promise<void> {
  const { from, sources, to } = copyOf(rest);
  const origin = from === undefined ? context : roots.get(from);
  if (origin === undefined) throw new Error(`COPY ${rest}: there is no stage ${String(from)}`);
  for (const source of sources) {
    const path = join(origin, source);
    const isFolder = (await stat(path)).isDirectory();
    const target = join(workdir, to, isFolder ? '' : basename(source));
    await cp(path, target, { recursive: true });
    // An image's files can be read by every user of it.
    if (!isFolder) await chmod(target, 0o644);
  }
}

async function run(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  if (command.startsWith('apt-get')) {
    say(`Left out: RUN ${command}`);
    return;
  }
  say(`RUN ${command}`);
  const { failure, output } = await runCommand('/bin/sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...env },
    timeoutMs: STEP_TIMEOUT_MS,
  });
  if (failure !== undefined) throw new Error(`RUN ${command} ${failure}:\n${output}`);
}

function envOf(stage: Stage): Record<string, string> {
  const pairs = stage.instructions.filter(({ name }) => name === 'ENV').map(({ rest }) => rest.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
