/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HoldpointError, type ErrorType } from '../agent/errors';
import type { Frame } from './frame';
import { NoticePage } from './pages/notice-page';
import { Text } from './parts/text';

export interface Refusal {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  readonly text: string;
}

const NOT_THERE: Refusal = {
  status: 404,
  title: 'There is nothing here',
  text: 'There is no such request or run, or it is not yours to see.',
};

const AWAY: Refusal = {
  status: 503,
  title: 'The engine does not answer',
  text: 'Nothing is lost. Load this page again in a moment; an answer that is sent twice counts once.',
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
  'Holdpoint.Answer.AlreadyAnswered': {
    status: 409,
    title: 'Somebody answered first',
    text: 'Nothing was changed by what you sent. The first answer stands.',
  },
  'Holdpoint.Answer.AnswerIdReused': {
    status: 409,
    title: 'Somebody answered first',
    text: 'Nothing was changed by what you sent. The first answer stands.',
  },
  'Holdpoint.Answer.Expired': {
    status: 410,
    title: 'Too late: this has expired',
    text: 'It counts as declined. Nothing was changed by what you sent.',
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

const FAULT: Refusal = {
  status: 500,
  title: 'Something went wrong',
  text: 'The fault is on our side. Whoever runs this server finds it in the log.',
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

export { FAULT, NOT_THERE };
