import { Connection, isGrpcServiceError, type ConnectionOptions } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';

/** gRPC status codes of a server that is not up, or whose namespace or other services are not yet. */
const NOT_YET = new Set([4, 5, 8, 14]);
const RETRY_MS = 50;
const CALL_MS = 2_000;

/**
 * Resolves once the server lists the runs of `namespace`: the last thing to work after a start. Rejects with
 * the last failure when that takes longer than `timeoutMs`, or soon after `signal`.
 */
export async function waitUntilHealthy(
  connectionOptions: ConnectionOptions,
  namespace: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  await waitUntilAnswered(
    connectionOptions,
    (connection) => connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 }),
    timeoutMs,
    signal,
  );
}

/** Resolves once the server answers `call`; rejects as {@link waitUntilHealthy} does. */
export async function waitUntilAnswered(
  connectionOptions: ConnectionOptions,
  call: (connection: Connection) => Promise<unknown>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const connection = Connection.lazy({
    ...connectionOptions,
    // The default first pause is a second, longer than the server needs to start.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': RETRY_MS, 'grpc.max_reconnect_backoff_ms': RETRY_MS },
    // The default interceptor hides the failure behind ten retries.
    interceptors: [],
  });
  try {
    for (;;) {
      try {
        await connection.withDeadline(Date.now() + CALL_MS, () => call(connection));
        return;
      } catch (error) {
        const over = Date.now() >= deadline || signal?.aborted === true;
        if (over || !isGrpcServiceError(error) || !NOT_YET.has(error.code)) throw error;
        await delay(RETRY_MS);
      }
    }
  } finally {
    await connection.close();
  }
}
