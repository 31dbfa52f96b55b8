/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { rolesToSend } from '../http/to-answer';
import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HoldpointError } from '../agent/errors';
import type { Answer } from '../agent/answer';
import { parseInstant } from '../agent/instant';
import { visibleJson } from '../agent/visible-text';
import { mayDecide } from './scopes';
import type { InboxContext, InboxEnv } from './environment';
import { ClosedPage, type Sent } from './pages/closed-page';
import { EditPage, editableText } from './pages/edit-page';
import { RequestPage } from './pages/request-page';
import { ReviewPage } from './pages/review-page';
import { deedOf } from '../page-parts/receipts';
import { isCallApproval } from '../page-parts/subject';
import { render } from './render';
import { readDecision, readEdit, FIELDS, type Fields } from './read-decision';
import { NO_ANSWER_SCOPE, NOT_THERE, RefusalPage, refusalOf } from './refusals';
import { versionOf } from './version';
import { readingIn, readState, type RequestReading } from './request-reading';
import { READ_MS, type ViewsSource } from './views-source';
import type { RunView } from '../client/run-result';
import { editProblem } from './edit-problem';

type OpenReading = Extract<RequestReading, { is: 'open' }>;

/** A request's page, its decisions, and the edit of its arguments. */
export function addRequestRoutes(
  app: Hono<InboxEnv>,
  form: (c: InboxContext) => Promise<Fields | Response>,
  views: ViewsSource,
): void {
  const recentView = (c: InboxContext, messages: boolean): Promise<RunView> =>
    views.recent(c.var.client, c.var.identity.tenant, c.req.param('run') ?? '', messages);

  app.get('/requests/:run/:request', async (c) => {
    const isReadOn = c.req.query('part') !== undefined;
    const reading = isReadOn
      ? readingIn(await recentView(c, true), c.req.param('request'))
      : await readingOf(c);
    return showReading(c, reading);
  });

  app.get('/requests/:run/:request/state', async (c) => {
    const reading = await readState((messages) => recentView(c, messages), c.req.param('request'));
    if (reading.is === 'unknown') return c.json({ open: false, words: closedWords(reading) }, 404);
    if (reading.is === 'closed') return c.json({ open: false, words: closedWords(reading) });
    // A vote, an edit or a result of somebody else's changes what there is to decide.
    const version = versionOf([reading.request, reading.calls.map(({ id }) => id)]);
    return c.json({ open: true, version, ...(isOver(reading) && { words: OVER }) });
  });

  app.get('/requests/:run/:request/edit', async (c) => {
    const reading = await readingOf(c);
    if (reading.is !== 'open' || !isCallApproval(reading.request)) return showReading(c, reading);
    return showEdit(c, reading, editableText(reading.request));
  });

  app.post('/requests/:run/:request/edit', async (c) => {
    const fields = await form(c);
    if (fields instanceof Response) return fields;
    const reading = await readingOf(c);
    if (reading.is !== 'open' || !isCallApproval(reading.request)) return showReading(c, reading);
    const text = fields[FIELDS.input] ?? '';
    const edit = readEdit(text);
    if (edit.is === 'problem') return showEdit(c, reading, text, edit.problem);
    if (fields['again'] === 'yes') return showEdit(c, reading, visibleJson(edit.input, 2));
    const problem = editProblem(reading.request, edit.input);
    if (problem !== undefined) return showEdit(c, reading, text, problem);
    const { view, request } = reading;
    return render(
      c,
      <ReviewPage frame={c.var.frame} runId={view.runId} request={request} input={edit.input} />,
    );
  });

  app.post('/requests/:run/:request', async (c) => {
    const fields = await form(c);
    if (fields instanceof Response) return fields;
    if (!mayDecide(c.var.identity)) return forbidden(c);
    const reading = await readingOf(c);
    if (reading.is !== 'open') return showReading(c, reading, 'late');
    const { view, request } = reading;
    const decision = readDecision(request, fields);
    if (decision.is === 'problem') return showProblem(c, reading, decision.problem, fields);
    try {
      await c.var.client.answer(view.runId, signed(c, decision.answer), { waitMs: READ_MS });
    } catch (error) {
      return showFailure(c, reading, error, fields);
    }
    return c.redirect(c.var.frame.paths.request(view.runId, request.id), 303);
  });
}

const REUSED =
  'This form was sent before with something else. Nothing was changed by what you sent: look at what was recorded, and decide anew.';

const OVER = 'The deadline has passed. This counts as declined.';

/** The run's own timer closes it a moment later, or when one of its workers is back. */
function isOver({ request: { expiresAt } }: OpenReading): boolean {
  const deadline = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  return deadline !== undefined && Date.now() >= deadline;
}

/** Where an answer was given, for the record. */
const CHANNEL = 'inbox';

/** Who decides comes from the session, never from the form. */
function signed(c: InboxContext, answer: Answer): Answer {
  const { subject, roles } = c.var.identity;
  return { ...answer, by: subject, roles: rolesToSend(roles), channel: CHANNEL };
}

async function readingOf(c: InboxContext): Promise<RequestReading> {
  const view = await c.var.client.get(c.req.param('run') ?? '', { waitMs: READ_MS });
  return readingIn(view, c.req.param('request') ?? '');
}

function showReading(c: InboxContext, reading: RequestReading, sent?: Sent): Response | Promise<Response> {
  const { frame } = c.var;
  switch (reading.is) {
    case 'open':
      return render(
        c,
        <RequestPage frame={frame} view={reading.view} request={reading.request} calls={reading.calls} />,
      );
    case 'closed': {
      const gone = reading.receipts.at(-1)?.via;
      const status = !sent ? 200 : gone === 'expiry' || gone === 'cancel' ? 410 : 409;
      return render(
        c,
        <ClosedPage frame={frame} view={reading.view} receipts={reading.receipts} sent={sent} />,
        status,
      );
    }
    case 'unknown':
      return render(c, <RefusalPage frame={frame} refusal={NOT_THERE} />, NOT_THERE.status);
  }
}

function showProblem(
  c: InboxContext,
  reading: OpenReading,
  problem: string,
  given: Fields,
  status: ContentfulStatusCode = 422,
) {
  const { view, request, calls } = reading;
  return render(
    c,
    <RequestPage
      frame={c.var.frame}
      view={view}
      request={request}
      calls={calls}
      problem={problem}
      given={given}
    />,
    status,
  );
}

/** An edit goes back to its form, so that nothing typed is lost. */
function showEdit(c: InboxContext, { view, request }: OpenReading, input: string, problem?: string) {
  return render(
    c,
    <EditPage
      frame={c.var.frame}
      runId={view.runId}
      request={request}
      input={input}
      {...(problem !== undefined && { problem })}
    />,
    problem === undefined ? 200 : 422,
  );
}

async function showFailure(
  c: InboxContext,
  reading: OpenReading,
  error: unknown,
  fields: Fields,
): Promise<Response> {
  if (!(error instanceof HoldpointError)) throw error;
  switch (error.type) {
    case 'Holdpoint.Answer.Invalid':
    case 'Holdpoint.Answer.Malformed':
    case 'Holdpoint.Answer.TooLarge':
    case 'Holdpoint.Answer.UnknownCall':
      return fields[FIELDS.input] === undefined
        ? showProblem(c, reading, error.message, fields)
        : showEdit(c, reading, fields[FIELDS.input] ?? '', error.message);
    case 'Holdpoint.Answer.AnswerIdReused': {
      const now = await readingOf(c);
      if (now.is === 'closed') return showReading(c, now, 'reused');
      if (now.is === 'open') return showProblem(c, now, REUSED, fields, 409);
      throw error;
    }
    case 'Holdpoint.Answer.AlreadyAnswered':
    case 'Holdpoint.Answer.Expired':
    case 'Holdpoint.Answer.RunClosed': {
      // The run's record says who and what; the error alone may not.
      const now = await readingOf(c);
      if (now.is === 'closed') return showReading(c, now, 'late');
      if (now.is === 'open' && error.type === 'Holdpoint.Answer.AlreadyAnswered')
        return showProblem(
          c,
          now,
          'Somebody else gave one of these results first, and it stands. Nothing of yours was taken.',
          fields,
          409,
        );
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return render(c, <RefusalPage frame={c.var.frame} refusal={refusal} />, refusal.status);
    }
    default:
      throw error;
  }
}

/** An attempt that does not reach the run is on its record all the same. */
async function forbidden(c: InboxContext): Promise<Response> {
  const { client, identity, frame } = c.var;
  const { title, text, status } = NO_ANSWER_SCOPE;
  const note = {
    requestId: c.req.param('request') ?? '',
    by: identity.subject,
    channel: CHANNEL,
    error: { type: 'Holdpoint.Http.Forbidden', message: `${title}. ${text}` },
  };
  try {
    await client.noteRefusal(c.req.param('run') ?? '', note, { waitMs: READ_MS });
  } catch (error) {
    // An ended run has no record to add to; the attempt is refused either way.
    if (!(error instanceof HoldpointError)) throw error;
  }
  return render(c, <RefusalPage frame={frame} refusal={NO_ANSWER_SCOPE} />, status);
}

function closedWords(reading: Exclude<RequestReading, OpenReading>): string {
  const last = reading.is === 'closed' ? reading.receipts.at(-1) : undefined;
  if (!last) return 'This is no longer open.';
  switch (last.via) {
    case 'expiry':
      return 'This has expired and counts as declined.';
    case 'cancel':
      return 'The run has ended, and this with it.';
    default:
      return `${deedOf(last)} by ${last.by ?? 'somebody'}.`;
  }
}
