import type { JsonObject } from '../agent/json';

/** What a tool may ask of the client in the middle of a call. */
export type InputMethod = 'elicitation' | 'sampling' | 'roots';

const METHODS = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
} as const satisfies Record<InputMethod, InputMethodName>;

/** The name of an input method on the wire. */
export type InputMethodName = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** The name of an input method on the wire, such as `elicitation/create`. */
export function inputMethodName(method: InputMethod): InputMethodName {
  return METHODS[method];
}

/** One request of an input round. `params` is the method's own, as the revision of MCP defines it. */
export interface InputRequest {
  readonly method: InputMethod;
  readonly params: JsonObject;
}

/** The requests of a round, by a key that the handler chooses and reads the response under. */
export type InputRequests = Readonly<Record<string, InputRequest>>;
