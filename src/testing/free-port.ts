import { createServer } from 'node:net';
import { HoldpointError } from '../agent/errors';
import { codeOf } from '../files/error-code';

const LOOPBACK = '127.0.0.1';

/**
 * A port on 127.0.0.1 that nobody listens on. It is free when this returns, not reserved: whoever binds it
 * must be ready to find it taken.
 *
 * @example
 * const port = await freePort();
 * await startTestServer({ port });
 */
export async function freePort(): Promise<number> {
  return bindAndRelease(0);
}

/** Throws `Holdpoint.Server.PortTaken`, naming `what` wanted the port, when somebody listens on it. */
export async function assertPortFree(port: number, what: string): Promise<void> {
  try {
    await bindAndRelease(port);
  } catch (cause) {
    throw portError(port, what, cause);
  }
}

/** The error for a port that could not be bound. */
export function portError(port: number, what: string, cause?: unknown): HoldpointError {
  const code = codeOf(cause) ?? 'EADDRINUSE';
  const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be used (${code})`;
  return new HoldpointError(
    'Holdpoint.Server.PortTaken',
    `Port ${port} of 127.0.0.1, wanted for ${what}, ${why}. ` +
      'Stop the process that listens on it, choose another port, or leave the port out to get a free one.',
    { port },
    { cause },
  );
}

function bindAndRelease(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      const bound = probe.address();
      probe.close(() => {
        if (bound !== null && typeof bound === 'object') resolve(bound.port);
        else reject(new Error(`Expected an address for port ${port}, got ${String(bound)}`));
      });
    });
  });
}
