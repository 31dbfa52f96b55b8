import { isRecord } from '../agent/json';

/**
 * The `code` of a system error, such as `EADDRINUSE`. Not by `instanceof`: a test runner's sandbox has an
 * `Error` of its own, and the system's are none of it.
 */
export function codeOf(error: unknown): string | undefined {
  return isRecord(error) && typeof error.code === 'string' ? error.code : undefined;
}
