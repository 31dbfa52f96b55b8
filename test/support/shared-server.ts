import type { TestServer } from '../../src/testing/temporal-server';

/** Jest loads setup and teardown apart from each other; only the process is common to both. */
declare global {
  var holdpointTestServer: TestServer | undefined;
}

export function keepServer(server: TestServer): void {
  globalThis.holdpointTestServer = server;
}

export function takeServer(): TestServer | undefined {
  const server = globalThis.holdpointTestServer;
  globalThis.holdpointTestServer = undefined;
  return server;
}
