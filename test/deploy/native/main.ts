/**
 * Starts the services of docker-compose.yml on this machine without Docker, with the commands, variables, ports
 * and files that it names, and runs the refund desk on them: `npm run check-deploy`, as root on Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/testing/run-command';
import { readCompose } from '../compose-file';
import { findBinaries } from './binaries';
import type { Place } from './recipes';
import { say } from './say';
import { buildWorkerImage } from './worker-image';

const ROOT = join(__dirname, '../../..');
const NEEDS = ['unshare', 'setpriv', 'ip', 'mount', 'curl'];
/** Namespaces end with their first process, so nothing that is started in them outlives this one. */
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

async function main(): Promise<number> {
  await checkMachine();
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-deploy-'));
  await chmod(folder, 0o755);
  const compose = readCompose(join(ROOT, 'docker-compose.yml'));
  const binaries = await findBinaries(compose);
  say('Binaries are there');
  const workerImage = await buildWorkerImage(join(ROOT, 'deploy/Dockerfile'), ROOT, join(folder, 'image'));
  say('The Dockerfile is carried out');
  const place: Place = { root: ROOT, folder, binaries, workerImage };
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const inside = [process.execPath, tsx, join(__dirname, 'inside.ts'), JSON.stringify(place)];
  const child = spawn('unshare', [...NAMESPACES, '--', ...inside], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === 0) await rm(folder, { recursive: true, force: true });
  else say(`Failed. The services' logs are in ${folder}`);
  return code ?? 1;
}

async function checkMachine(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('check-deploy needs Linux and root: it makes a network of its own for the services.');
  for (const command of NEEDS) {
    const { failure } = await runCommand('/bin/sh', ['-c', `command -v ${command}`], { timeoutMs: 10_000 });
    if (failure !== undefined)
      throw new Error(
        `check-deploy needs \`${command}\` (Debian: apt-get install util-linux iproute2 mount curl).`,
      );
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);
