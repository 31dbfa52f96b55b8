import { isRecord } from './json';

/**
 * What stands in for a message that could not be decoded (design, "No message can wedge a run"). Intake
 * refuses it; everywhere else it is an error. It says nothing of what the message held (R11).
 */
export interface Undecodable {
  readonly __holdpointUndecodable: true;
  /** The encoding that the sender named; "" when it named none. */
  readonly encoding: string;
  readonly reason: string;
}

export function undecodable(encoding: string, reason: string): Undecodable {
  return { __holdpointUndecodable: true, encoding, reason };
}

export function isUndecodable(value: unknown): value is Undecodable {
  return isRecord(value) && value['__holdpointUndecodable'] === true;
}
