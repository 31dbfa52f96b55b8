import { HoldpointError, type ErrorType } from '../agent/errors';

/** Refusals of what an answer says, not of when it came: another answer may still be given. */
const CONTENT: readonly ErrorType[] = [
  'Holdpoint.Answer.Invalid',
  'Holdpoint.Answer.Malformed',
  'Holdpoint.Answer.TooLarge',
];

/** Whether the run refused what an answer says, such as arguments that do not fit the tool's schema (R24). */
export function fitsNot(error: unknown): boolean {
  return error instanceof HoldpointError && CONTENT.includes(error.type);
}
