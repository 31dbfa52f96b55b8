import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * Keeps the SDK's information and warnings out of the test output; call it before anything makes a worker or
 * a native connection. Errors stay, unless the test provokes them: then pass `silent`.
 */
export function quietRuntime(level: 'errors' | 'silent' = 'errors'): void {
  // A process has one runtime: the first call says what it does.
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', level === 'silent' ? (): void => undefined : undefined),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
  });
}
