import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from 'holdpoint/testing';
import { say } from './show';

/** Each run of the demo has a database of its own here, so that it survives whatever ends the demo. */
const RUNS = join(__dirname, '../../.holdpoint/refund-desk');

export interface ServerChoice {
  readonly runId: string;
  /** The run was parked by an earlier demo. */
  readonly isParked: boolean;
  readonly port: number | undefined;
}

/** The server at `TEMPORAL_ADDRESS`, or one of our own on the run's database file. */
export async function startServer({ runId, isParked, port }: ServerChoice): Promise<TestServer> {
  const onProgress = say;
  // On somebody else's server the run is where it was left.
  if (process.env['TEMPORAL_ADDRESS'])
    return startTestServer({ onProgress, ...(port !== undefined && { port }) });
  const folder = join(RUNS, runId);
  if (isParked && !existsSync(folder))
    throw new Error(`There is no parked run ${runId}. Parked are: ${await parkedRuns()}.`);
  await mkdir(folder, { recursive: true });
  const dbFilename = join(folder, 'temporal.db');
  return startTestServer({ onProgress, dbFilename, ui: true, ...(port !== undefined && { port }) });
}

/** The run has ended: its database has nothing more to keep. */
export async function forgetRun(runId: string): Promise<void> {
  await rm(join(RUNS, runId), { recursive: true, force: true });
}

async function parkedRuns(): Promise<string> {
  const names = await readdir(RUNS).catch((): string[] => []);
  return names.join(', ') || 'none';
}
