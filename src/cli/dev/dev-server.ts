import { setTimeout as delay } from 'node:timers/promises';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { HoldpointError } from '../../agent/errors';
import { DEFAULT_ADDRESS } from '../../temporal/connect-options';
import { assertPortFree, freePort } from '../../testing/free-port';
import { waitUntilAnswered } from '../../testing/server-health';
import { startTestServer, type TestServer } from '../../testing/temporal-server';
import { withClient, type ConnectionFlags } from '../connection';
import { invocation } from '../invocation';
import type { Output } from '../output';
import { isAlive, readRecord, removeRecord, writeRecord, type DevFolder } from './folder';

/** Where clients look when nothing is configured, so that they find it. */
const DEFAULT_PORT = Number(DEFAULT_ADDRESS.split(':')[1]);
/** The page is as far from the server as Temporal's own development server has it. */
const PAGE_OFFSET = 1_000;
/** A server whose parent was killed ends at once, but its port is free only then. */
const LEAVING_MS = 5_000;
const LOOK_EVERY_MS = 100;
const ANSWERS_MS = 1_500;

/** The server that runs are to live in: one that is there, as configured, or one of our own. */
export interface DevServer extends Pick<TestServer, 'address' | 'webUrl' | 'pid'> {
  /** The address is configured: by --address, TEMPORAL_ADDRESS or Temporal's TOML file. */
  readonly isConfigured: boolean;
  stop(): Promise<void>;
}

export interface DevServerOptions {
  readonly folder: DevFolder;
  readonly flags: ConnectionFlags & { readonly port?: number };
  readonly output: Output;
}

/**
 * Throws `Holdpoint.Client.Unreachable` for a configured server, `Holdpoint.Server.PortTaken`, which says who has
 * the port where that can be told, and what `startTestServer` throws.
 */
export async function findDevServer({ folder, flags, output }: DevServerOptions): Promise<DevServer> {
  const configured = flags.address ?? loadClientConnectConfig().connectionOptions.address;
  if (configured !== undefined && flags.port === undefined) {
    // No change of a file would bring it back, so it is asked before anything waits for one.
    await withClient({ ...flags, address: configured }, output, async () => undefined);
    return { address: configured, isConfigured: true, stop: async () => undefined };
  }
  const port = flags.port ?? DEFAULT_PORT;
  await assertOurs(folder, port);
  const server = await startTestServer({
    dedicated: true,
    port,
    uiPort: await pagePort(port),
    dbFilename: folder.database,
    searchAttributes: flags.searchAttributes !== 'none',
    onProgress: (line) => output.note(line),
    ...(flags.namespace !== undefined && { namespace: flags.namespace }),
  });
  const { address, webUrl, pid } = server;
  await writeRecord(folder, { pid: process.pid, address });
  return {
    address,
    isConfigured: false,
    ...(webUrl !== undefined && { webUrl }),
    ...(pid !== undefined && { pid }),
    async stop() {
      await server.stop();
      await removeRecord(folder);
    },
  };
}

/** Two servers on one database would ruin it, and two on one port cannot be. */
async function assertOurs(folder: DevFolder, port: number): Promise<void> {
  const record = await readRecord(folder);
  if (record && isAlive(record.pid) && (await answers(record.address)))
    throw new HoldpointError(
      'Holdpoint.Server.PortTaken',
      `holdpoint dev runs in this folder already: process ${record.pid}, with its Temporal server at ${record.address}. Stop that one first, or start a worker for it: ${invocation()} worker <file> --address ${record.address}.`,
      { port, pid: record.pid, address: record.address },
    );
  const deadline = Date.now() + (record ? LEAVING_MS : 0);
  for (;;) {
    try {
      return await assertPortFree(port, 'the Temporal server');
    } catch (error) {
      if (Date.now() >= deadline) throw await portTaken(port, error);
      await delay(LOOK_EVERY_MS);
    }
  }
}

async function portTaken(port: number, cause: unknown): Promise<unknown> {
  const address = `127.0.0.1:${port}`;
  if (!(await answers(address))) {
    if (!(cause instanceof HoldpointError)) return cause;
    return new HoldpointError(
      cause.type,
      `Port ${port} of 127.0.0.1, wanted for the Temporal server, is taken by another program. Stop it, or choose another port with --port <n>.`,
      cause.data,
      { cause },
    );
  }
  return new HoldpointError(
    'Holdpoint.Server.PortTaken',
    `A Temporal server listens at ${address} already. Use it with --address ${address}, or start another one with --port <n>.`,
    { port, address },
    { cause },
  );
}

async function answers(address: string): Promise<boolean> {
  return waitUntilAnswered(
    { address },
    (connection) => connection.workflowService.getSystemInfo({}),
    ANSWERS_MS,
  ).then(
    () => true,
    () => false,
  );
}

async function pagePort(port: number): Promise<number> {
  const wanted = port + PAGE_OFFSET;
  return assertPortFree(wanted, 'its page').then(
    () => wanted,
    () => freePort(),
  );
}
