import type { ErrorType } from './errors';

/** The input of an activity could not be read: what it takes is away, or this worker does not have it. */
const UNREAD: readonly ErrorType[] = ['Holdpoint.Data.Unavailable', 'Holdpoint.Data.Unreadable'];

/** Whether a call's activity failed by this because its input could not be read. */
export function isUnreadType(type: unknown): boolean {
  return UNREAD.some((unread) => unread === type);
}

/** Whether a call's activity that failed by this ended before the tool was touched: another worker may try. */
export function isNotStartedType(type: unknown): boolean {
  return type === 'Holdpoint.Tool.NotStarted' || isUnreadType(type);
}
