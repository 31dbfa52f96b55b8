import { NativeConnection } from '@temporalio/worker';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { ConnectTarget } from '../temporal/connect-options';

const CONNECT_TIMEOUT_MS = 10_000;

/** Connects, or says within seconds which address does not answer and what to do. */
export async function connect(target: ConnectTarget): Promise<NativeConnection> {
  const { address, tls, apiKey, metadata } = target;
  const connecting = NativeConnection.connect({
    address,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata && { metadata }),
  });
  try {
    return await within(CONNECT_TIMEOUT_MS, connecting);
  } catch (cause) {
    // It may still come up after we gave up on it.
    connecting.then((late) => late.close()).catch(() => undefined);
    throw unreachable(
      `No Temporal server answers at ${address} (${reasonOf(cause)}). Start one, or give the right one as \`address\` or TEMPORAL_ADDRESS.`,
      target,
      cause,
    );
  }
}

/**
 * Checks that the namespace is there; a worker without it would poll in vain. `address` is left out where the
 * connection was given: nobody knows it then.
 */
export async function checkNamespace(
  connection: NativeConnection,
  target: { readonly namespace: string; readonly address?: string },
): Promise<void> {
  const { address, namespace } = target;
  try {
    await connection.withDeadline(Date.now() + CONNECT_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (cause) {
    throw unreachable(
      `The Temporal server ${address === undefined ? 'behind `connection`' : `at ${address}`} did not give namespace "${namespace}" (${reasonOf(cause)}). Create the namespace, or check \`namespace\`, \`tls\` and \`apiKey\`.`,
      target,
      cause,
    );
  }
}

function unreachable(
  message: string,
  { address, namespace }: { readonly namespace: string; readonly address?: string },
  cause: unknown,
): HoldpointError {
  const data = { ...(address !== undefined && { address }), namespace };
  return new HoldpointError('Holdpoint.Worker.Unreachable', message, data, { cause });
}

/** The part of a transport error that a reader can use. */
function reasonOf(cause: unknown): string {
  const text = errorMessage(cause);
  if (/ConnectionRefused|connection refused/i.test(text)) return 'connection refused';
  if (/dns error|lookup address/i.test(text)) return 'the host name is not known';
  return text.split('\n')[0] ?? text;
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
