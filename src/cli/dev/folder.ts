import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isRecord, parseJson } from '../../agent/json';
import { bundleKey } from './bundle-key';

/** What `dev` keeps between its runs, beside where it is run. */
const NAME = '.holdpoint';

/** A server that `dev` has started in this folder, as long as its process lives. */
export interface DevRecord {
  readonly pid: number;
  readonly address: string;
}

export interface DevFolder {
  readonly database: string;
  readonly bundle: string;
  readonly record: string;
  /** Of the API and the inbox. */
  readonly config: string;
  readonly key: string;
}

/** Makes the folder, which version control does not see. */
export async function openDevFolder(): Promise<DevFolder> {
  const folder = resolve(NAME);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n');
  const bundle = `workflow-bundle-${bundleKey()}.js`;
  const old = (await readdir(folder)).filter((name) => name.startsWith('workflow-bundle') && name !== bundle);
  for (const name of old) await rm(join(folder, name), { force: true });
  return {
    database: join(folder, 'temporal.db'),
    bundle: join(folder, bundle),
    record: join(folder, 'dev.json'),
    config: join(folder, 'config.json'),
    key: join(folder, 'key'),
  };
}

export async function readRecord({ record }: DevFolder): Promise<DevRecord | undefined> {
  const value = parseJson(await readFile(record, 'utf8').catch(() => ''));
  const isOurs = isRecord(value) && typeof value['pid'] === 'number' && typeof value['address'] === 'string';
  return isOurs ? { pid: value['pid'] as number, address: value['address'] as string } : undefined;
}

export async function writeRecord({ record }: DevFolder, content: DevRecord): Promise<void> {
  await writeFile(record, `${JSON.stringify(content)}\n`);
}

export async function removeRecord({ record }: DevFolder): Promise<void> {
  await rm(record, { force: true });
}

/** Whether the process of a record still is there. Somebody else's counts: its id may have been given again. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
