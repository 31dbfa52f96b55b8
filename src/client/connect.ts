import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { ConnectTarget } from '../temporal/connect-options';
import { grpcErrorOf, isTransient, toClientError } from './rpc-failure';

const CONNECT_TIMEOUT_MS = 10_000;
/** A page of history holds so many events, whatever their size: more than the 4 MB that are taken by default. */
const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;

/** A connection of the client's own. */
export interface OwnConnection {
  readonly connection: Connection;
  readonly close: () => Promise<void>;
}

/**
 * The SDK repeats a failed request from a timer, and closing the channel fails all that is under way: the
 * repetition would then throw where nobody can catch it. So nothing is repeated once closing has begun, and the
 * channel is closed once no repetition is due any more, which takes six seconds at most.
 */
function retriesUntilClosed() {
  const options = defaultGrpcRetryOptions();
  let closing = false;
  let due = 0;
  let noneDue = (): void => undefined;
  const through = new Promise<void>((resolve) => (noneDue = resolve));
  const retry = makeGrpcRetryInterceptor({
    ...options,
    retryableDecider(attempt, status) {
      const again = !closing && options.retryableDecider(attempt, status);
      if (again) due += 1;
      return again;
    },
  });
  const interceptor: typeof retry = (callOptions, nextCall) => {
    let attempts = 0;
    return retry(callOptions, (again) => {
      attempts += 1;
      if (attempts > 1 && --due === 0 && closing) noneDue();
      return nextCall(again);
    });
  };
  const close = async (connection: Connection): Promise<void> => {
    closing = true;
    if (due > 0) await through;
    await connection.close();
  };
  return { interceptor, close };
}

/** Connects, or says within seconds which address does not answer and what to do. */
export async function connectClient(target: ConnectTarget): Promise<OwnConnection> {
  const { address, namespace, tls, apiKey, metadata } = target;
  const { interceptor, close } = retriesUntilClosed();
  const connection = Connection.lazy({
    address,
    interceptors: [interceptor],
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: { 'grpc.max_receive_message_length': MAX_RESPONSE_BYTES },
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata && { metadata }),
  });
  try {
    await connection.ensureConnected();
    return { connection, close: () => close(connection) };
  } catch (cause) {
    await close(connection);
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
