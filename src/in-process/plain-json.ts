import { errorMessage, HoldpointError, type ErrorType } from '../agent/errors';
import type { Json } from '../agent/json';

/**
 * A value as it would arrive at a durable run, so that both drivers see the same (R12).
 *
 * @throws HoldpointError of `type` when it has no JSON form
 */
export function toPlainJson(value: unknown, what: string, type: ErrorType): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch (error) {
    throw new HoldpointError(
      type,
      `Expected ${what} to be JSON: ${errorMessage(error)}`,
      {},
      { cause: error },
    );
  }
}
