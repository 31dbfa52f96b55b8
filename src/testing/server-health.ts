import { Connection, isGrpcServiceError, type ConnectionOptions } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';

/** gRPC status codes of a server that answers before its namespace or its other services are up. */
const NOT_YET = new Set([4, 5, 8, 14]);
const RETRY_MS = 50;

/**
 * Resolves once the server at `connection.address` lists the runs of `namespace`: the last thing to work
 * after a start. Rejects with the last failure when that takes longer than `timeoutMs`, or on `signal`.
 */
export async function waitUntilHealthy(
  connectionOptions: ConnectionOptions,
  namespace: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const connection = Connection.lazy({
    ...connectionOptions,
    connectTimeout: timeoutMs,
    // The default first pause is a second, longer than the server needs to start.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': RETRY_MS, 'grpc.max_reconnect_backoff_ms': 500 },
    // The default interceptor hides the failure behind ten retries.
    interceptors: [],
  });
  const onAbort = (): void => void connection.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await connection.ensureConnected();
    for (;;) {
      try {
        await connection.withDeadline(deadline, () =>
          connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 }),
        );
        return;
      } catch (error) {
        if (
          !isGrpcServiceError(error) ||
          !NOT_YET.has(error.code) ||
          Date.now() >= deadline ||
          signal?.aborted
        )
          throw error;
        await delay(RETRY_MS);
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await connection.close();
  }
}
