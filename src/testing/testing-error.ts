/** Stable names of what can go wrong in `holdpoint/testing`. */
export type TestingErrorType =
  | 'Holdpoint.Testing.InvalidOption'
  | 'Holdpoint.Testing.PortTaken'
  | 'Holdpoint.Testing.NoServer'
  | 'Holdpoint.Testing.ServerFailed'
  | 'Holdpoint.Testing.ServerUnreachable'
  | 'Holdpoint.Testing.NotDeterministic'
  | 'Holdpoint.Testing.InvalidHistory'
  | 'Holdpoint.Testing.ScriptedModelClosed';

/**
 * What every function of `holdpoint/testing` throws. `type` is stable, the message names the remedy, and
 * `cause` is the error underneath, if any.
 *
 * @example
 * const server = await startTestServer().catch((error) => error);
 * if (error instanceof TestingError && error.type === 'Holdpoint.Testing.NoServer') skip(error.message);
 */
export class TestingError extends Error {
  override readonly name = 'TestingError';

  constructor(
    readonly type: TestingErrorType,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
