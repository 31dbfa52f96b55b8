import type { Problem } from './problem';

/** What a problem is called on a page: people read no status. */
const TITLES: Readonly<Record<string, string>> = {
  'Holdpoint.Token.Unknown': 'This link leads nowhere',
  'Holdpoint.Token.Expired': 'This link has expired',
  'Holdpoint.Answer.AlreadyAnswered': 'This was answered already',
  'Holdpoint.Answer.AnswerIdReused': 'This was sent before with something else',
  'Holdpoint.Answer.NotApprover': 'You may not decide this',
  'Holdpoint.Answer.DigestMismatch': 'This has changed since you looked',
  'Holdpoint.Answer.Expired': 'Too late: this has expired',
  'Holdpoint.Answer.RunClosed': 'Too late: the run has ended',
  'Holdpoint.Http.Forbidden': 'This is not allowed',
  'Holdpoint.Http.RateLimited': 'Too many attempts',
  'Holdpoint.Http.Malformed': 'This could not be read',
  'Holdpoint.Http.TooLarge': 'This is too large',
};

export function problemTitle({ code, title }: Pick<Problem, 'code' | 'title'>): string {
  return TITLES[code] ?? title;
}
