/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HoldpointError, type ErrorType } from '../agent/errors';
import type { Frame } from './frame';
import { NoticePage } from './pages/notice-page';
import { Text } from '../page-parts/text';

export interface Refusal {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  readonly text: string;
}

export const NOT_THERE: Refusal = {
  status: 404,
  title: 'There is nothing here',
  text: 'There is no such request or run, or it is not yours to see.',
};

const AWAY: Refusal = {
  status: 503,
  title: 'The engine does not answer',
  text: 'Nothing is lost. Load this page again in a moment; an answer that is sent twice counts once.',
};

const ANSWERED_FIRST: Refusal = {
  status: 409,
  title: 'Somebody answered first',
  text: 'Nothing was changed by what you sent. The first answer stands.',
};

const REFUSALS: Partial<Record<ErrorType, Refusal>> = {
  'Holdpoint.Run.NotFound': NOT_THERE,
  'Holdpoint.Conversation.NotFound': NOT_THERE,
  'Holdpoint.Answer.UnknownRequest': NOT_THERE,
  'Holdpoint.Client.InvalidOptions': NOT_THERE,
  'Holdpoint.Client.Unreachable': AWAY,
  'Holdpoint.Client.WaitTimedOut': AWAY,
  'Holdpoint.Client.NoWorker': {
    ...AWAY,
    title: 'No worker answers',
    text: 'The run cannot be read while none of its workers is there. Nothing is lost. Load this page again in a moment.',
  },
  'Holdpoint.Http.Unavailable': {
    status: 503,
    title: 'Nobody can say who you are',
    text: 'The service that knows the keys does not answer. Load this page again in a moment.',
  },
  'Holdpoint.Http.RateLimited': {
    status: 429,
    title: 'Too many attempts',
    text: 'Too many sign-ins failed from your address. Wait a minute, and try again.',
  },
  'Holdpoint.Answer.NotApprover': {
    status: 403,
    title: 'You may not decide this',
    text: 'The request names who may answer it, and you are none of them. It is still open; your attempt is on the record.',
  },
  'Holdpoint.Answer.DigestMismatch': {
    status: 409,
    title: 'This has changed since you looked',
    text: 'What would run now is not what you saw. Nothing was changed. Load the request again, and decide then.',
  },
  'Holdpoint.Answer.AlreadyAnswered': ANSWERED_FIRST,
  'Holdpoint.Answer.AnswerIdReused': {
    status: 409,
    title: 'This form was sent before with something else',
    text: 'Nothing was changed by what you sent. Look at what was recorded, and decide anew if the request is still open.',
  },
  'Holdpoint.Answer.Expired': {
    status: 410,
    title: 'Too late: this has expired',
    text: 'It counts as declined. Nothing was changed by what you sent.',
  },
  'Holdpoint.Run.Closed': {
    status: 410,
    title: 'Too late: the run has ended',
    text: 'Nothing passes in it any more. Nothing was changed by what you sent.',
  },
  'Holdpoint.Run.InvalidInput': {
    status: 422,
    title: 'This is not taken back here',
    text: 'It was given for a sub-agent. Take it back on the page of the run that called it. Nothing was changed.',
  },
  'Holdpoint.Answer.RunClosed': {
    status: 410,
    title: 'Too late: the run has ended',
    text: 'Nothing was changed by what you sent.',
  },
};

/** What a failure means to somebody at a page; `undefined` for one that is no answer to what they did. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof HoldpointError ? REFUSALS[error.type] : undefined;
}

export const FAULT: Refusal = {
  status: 500,
  title: 'Something went wrong',
  text: 'The fault is on our side. Whoever runs this server finds it in the log.',
};

export const UNREADABLE: Refusal = {
  status: 415,
  title: 'This is no form of ours',
  text: 'Send the form of the page.',
};

export const FOREIGN: Refusal = {
  status: 403,
  title: 'This did not come from here',
  text: 'The form was not sent from a page of this inbox, or you have signed in again since. Nothing was changed. Load the page again and decide there.',
};

export const NO_SCOPE: Refusal = {
  status: 403,
  title: 'You may not read this',
  text: 'Your sign-in has no scope requests:read.',
};

export const NO_ANSWER_SCOPE: Refusal = {
  status: 403,
  title: 'You may not decide this',
  text: 'Your sign-in may read requests and not answer them: it has no scope requests:answer. Nothing was changed.',
};

export const SIGNED_OUT: Refusal = {
  status: 401,
  title: 'You are signed out',
  text: 'Nothing was changed. Sign in again, and decide then.',
};

export const NOTHING: Refusal = {
  status: 404,
  title: 'There is nothing here',
  text: 'There is no such page.',
};

export function RefusalPage({ frame, refusal }: { readonly frame: Frame; readonly refusal: Refusal }) {
  return (
    <NoticePage frame={frame} title={refusal.title} tone="bad">
      <p>
        <Text text={refusal.text} />
      </p>
    </NoticePage>
  );
}
