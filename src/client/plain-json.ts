import { HoldpointError, errorMessage, type ErrorType } from '../agent/errors';
import type { Json } from '../agent/json';

/**
 * A value as it will arrive (R12): a date as text, `undefined` left out. What is compared or digested here
 * must be what the run compares. Throws `type` for a value that has no JSON form.
 */
export function toPlainJson(value: unknown, name: string, type: ErrorType): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch (cause) {
    throw new HoldpointError(
      type,
      `Expected \`${name}\` to be JSON: ${errorMessage(cause).split('\n')[0] ?? ''}`,
      {},
      { cause },
    );
  }
}
