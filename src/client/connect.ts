import { Connection } from '@temporalio/client';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { ConnectTarget } from '../temporal/connect-options';
import { grpcErrorOf, isTransient, toClientError } from './rpc-failure';

const CONNECT_TIMEOUT_MS = 5_000;

/** Connects, or says within seconds which address does not answer and what to do. */
export async function connectClient(target: ConnectTarget): Promise<Connection> {
  const { address, namespace, tls, apiKey, metadata } = target;
  const connection = Connection.lazy({
    address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata && { metadata }),
  });
  try {
    await connection.ensureConnected();
    return connection;
  } catch (cause) {
    await connection.close();
    const refused = grpcErrorOf(cause);
    if (refused && !isTransient(refused)) throw toClientError(cause, target);
    throw new HoldpointError(
      'Holdpoint.Client.Unreachable',
      `No Temporal server answers at ${address} within ${CONNECT_TIMEOUT_MS} ms (${reasonOf(cause)}). Start one, or give the right one as \`address\` or TEMPORAL_ADDRESS; check \`tls\` and \`apiKey\` where it wants them.`,
      { address, namespace },
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  return errorMessage(grpcErrorOf(cause)?.details ?? cause).split('\n')[0] ?? '';
}
