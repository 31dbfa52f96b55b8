import { loadClientConnectConfig } from '@temporalio/envconfig';
import { waitUntilHealthy } from './server-health';
import type { TestServer, TestServerOptions } from './temporal-server';
import { HoldpointError } from '../agent/errors';

const SHAPING = ['port', 'ui', 'uiPort', 'dbFilename', 'dynamicConfig', 'searchAttributes'] as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** The server that `TEMPORAL_ADDRESS` names, once it answers. It is somebody else's to stop. */
export async function existingServer(address: string, options: TestServerOptions): Promise<TestServer> {
  const refused = SHAPING.filter((name) => options[name] !== undefined);
  if (refused.length > 0) {
    throw new HoldpointError(
      'Holdpoint.Server.InvalidOptions',
      `\`${refused.join('`, `')}\` cannot change the server at TEMPORAL_ADDRESS (${address}). ` +
        'Leave them out, unset TEMPORAL_ADDRESS, or pass `dedicated: true` to start another server.',
      { address, options: refused },
    );
  }
  const config = loadClientConnectConfig();
  const namespace = options.namespace ?? config.namespace ?? 'default';
  try {
    await waitUntilHealthy(
      { ...config.connectionOptions, address },
      namespace,
      options.startTimeoutMs ?? CONNECT_TIMEOUT_MS,
    );
  } catch (cause) {
    throw new HoldpointError(
      'Holdpoint.Server.Unreachable',
      `No Temporal server with namespace "${namespace}" answers at ${address}, which TEMPORAL_ADDRESS names. ` +
        'Start that server, correct the address or the namespace, or unset TEMPORAL_ADDRESS to have one started.',
      { address, namespace },
      { cause },
    );
  }
  const leave = async (): Promise<void> => undefined;
  return {
    address,
    namespace,
    stop: leave,
    kill: () =>
      Promise.reject(
        new HoldpointError(
          'Holdpoint.Server.InvalidOptions',
          `The server at TEMPORAL_ADDRESS (${address}) is not ours to kill. Pass \`dedicated: true\` to start one that is.`,
          { address },
        ),
      ),
    [Symbol.asyncDispose]: leave,
  };
}
