import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from 'holdpoint/testing';
import { say } from './show';

/** Each run of the demo has a database of its own here, so that it survives whatever ends the demo. */
const RUNS = join(__dirname, '../../.holdpoint/refund-desk');

/** The server at `TEMPORAL_ADDRESS`, or one of our own on the run's database file. */
export async function startServer(runId: string, port: number | undefined): Promise<TestServer> {
  const options = { onProgress: say, ...(port !== undefined && { port }) };
  if (process.env['TEMPORAL_ADDRESS']) return startTestServer(options);
  const folder = join(RUNS, runId);
  await mkdir(folder, { recursive: true });
  return startTestServer({ ...options, dbFilename: join(folder, 'temporal.db'), ui: true });
}

/** Throws when there is no such run to go on with. On somebody else's server it is where it was left. */
export async function assertParked(runId: string): Promise<void> {
  if (process.env['TEMPORAL_ADDRESS']) return;
  const names = await readdir(RUNS).catch((): string[] => []);
  if (!names.includes(runId))
    throw new Error(`There is no parked run ${runId}. Parked are: ${names.join(', ') || 'none'}.`);
}

/** The run has ended: its database has nothing more to keep. */
export async function forgetRun(runId: string): Promise<void> {
  await rm(join(RUNS, runId), { recursive: true, force: true });
}
