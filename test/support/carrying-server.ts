import { startTestServer, type TestServer } from '../../src/testing';
import { quietRuntime } from './quiet-runtime';

/** A server of a test's own that has every run continue as new after so many events. */
export function startCarryingServer(afterEvents = 30): Promise<TestServer> {
  quietRuntime();
  return startTestServer({
    dedicated: true,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': afterEvents },
  });
}
