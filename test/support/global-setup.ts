import { startTestServer } from '../../src/testing/temporal-server';
import { keepServer } from './shared-server';

/**
 * One server for the whole run: tests find it at `HOLDPOINT_TEST_ADDRESS`. With `HOLDPOINT_NO_SERVER=1` none
 * is started, for tests that need none.
 */
async function globalSetup(): Promise<void> {
  if (process.env.HOLDPOINT_NO_SERVER === '1') return;
  const server = await startTestServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  keepServer(server);
  process.env.HOLDPOINT_TEST_ADDRESS = server.address;
  process.env.HOLDPOINT_TEST_NAMESPACE = server.namespace;
}

// Jest takes a module that is the function itself, or a default export, which this code base does not use.
export = globalSetup;
