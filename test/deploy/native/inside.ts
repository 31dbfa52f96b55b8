/** The part of check-deploy that runs in namespaces of its own: network, mounts and processes. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startModel } from '../../../examples/refund-desk/model';
import { runCommand } from '../../../src/testing/run-command';
import { readCompose } from '../compose-file';
import { prove } from './proofs';
import { installCommands, type Place } from './recipes';
import { say } from './say';
import { Stack } from './stack';

async function main(): Promise<void> {
  const place = JSON.parse(process.argv[2] ?? '') as Place;
  const file = join(place.root, 'docker-compose.yml');
  await installCommands(place);
  await networkOf(Object.keys(readCompose(file).services), place.folder);
  const model = await startModel();
  const variables = {
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    OPENAI_API_KEY: 'none',
    HOLDPOINT_SIGNING_KEY: randomBytes(32).toString('base64'),
    ...model.env,
  };
  const stack = await Stack.of(file, variables, place);
  await stack.up();
  await prove(stack, place.root);
  await stack.down();
  await model.close();
  say('All services came up, did their work and went down');
}

/** The network that compose would make: the services find each other by name, and nobody else is there. */
async function networkOf(names: readonly string[], folder: string): Promise<void> {
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, `127.0.0.1 localhost ${names.join(' ')}\n`);
  for (const [file, ...args] of [
    ['ip', 'link', 'set', 'lo', 'up'],
    ['mount', '--bind', hosts, '/etc/hosts'],
  ] as const) {
    const { failure, output } = await runCommand(file, args, { timeoutMs: 10_000 });
    if (failure !== undefined) throw new Error(`${file} ${args.join(' ')} ${failure}: ${output}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  // Ends the namespace, and with it every process in it.
  process.exit(1);
});
