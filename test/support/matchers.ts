/** Jest's matchers with a type: theirs is `any`. */
import type { ErrorType } from '../../src/agent/errors';

export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const containing = (text: string): unknown => expect.stringContaining(text);
export const instanceOf = (type: new () => unknown): unknown => expect.any(type);
export const objectWith = (fields: object): unknown => expect.objectContaining(fields);

/** For `toThrow` and `rejects.toEqual`: a HoldpointError of this type whose message matches. */
export function holdpointError(type: ErrorType, message = /./, data: object = {}): Error {
  return expect.objectContaining({
    name: 'HoldpointError',
    type,
    message: matching(message),
    data: objectWith(data),
  }) as Error;
}

/** The same as an activity's failure carries it. */
export function holdpointFailure(type: ErrorType, message = /./, fields: object = {}): Error {
  return expect.objectContaining({
    name: 'ApplicationFailure',
    type,
    message: matching(message),
    ...fields,
  }) as Error;
}
