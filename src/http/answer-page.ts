import type { Receipt } from '../agent/receipt';
import { relayCallsOf } from '../agent/relay';
import type { Request } from '../agent/request';
import { visibleJson } from '../agent/visible-text';
import type { AnswerGrant } from '../tokens/answer-token';
import { html, page, raw, type Html } from './html';
import type { Problem } from './problem';

/** The page behind a link: what is asked, what each button does, and the buttons. Looking at it answers nothing. */
export function answerPage(request: Request, { by, decisions }: AnswerGrant): string {
  const may = (decision: 'approve' | 'decline'): boolean => decisions?.includes(decision) ?? true;
  const { kind, prompt, url, data, expiresAt } = request;
  return page(
    'Answer a request',
    html`<h1>${titleOf(kind)}</h1>
      <pre>${prompt}</pre>
      ${url === undefined ? undefined : html`<p>Address that the request names: <code>${url}</code></p>`}
      ${
        data === undefined
          ? undefined
          : html`<h2>Exactly what it is about</h2>
              <pre>${visibleJson(data, 2)}</pre>`
      }
      ${expiresAt === undefined ? undefined : html`<p>It counts as declined from ${expiresAt} on.</p>`}
      ${by === undefined ? undefined : html`<p>You answer as ${by}.</p>`}
      <form method="post">
        ${may('approve') ? html`${fieldsOf(request)}<button name="decision" value="approve">${yesOf(kind)}</button>` : undefined}
        ${may('decline') ? html`<label>Why not, if you decline; the agent reads it<textarea name="reason" maxlength="4096"></textarea></label><button name="decision" value="decline" formnovalidate>Decline</button>` : undefined}
      </form>
      <p>The first answer counts. Nothing happens before you press a button.</p>`,
  );
}

/** The page after an answer, or for a request that has one. */
export function answeredPage({ ok, by, at }: Receipt, isOwn: boolean): string {
  const what = ok ? 'answered' : 'declined';
  return page(
    isOwn ? 'Recorded' : 'Already answered',
    html`<h1>${isOwn ? 'Your answer is recorded' : 'This was answered already'}</h1>
      <p>The request was ${what}${by === undefined ? undefined : html` by ${by}`} at ${at}.</p>`,
  );
}

/** The page for a problem. */
export function problemPage({ title, detail }: Problem): string {
  return page(
    title,
    html`<h1>${title}</h1>
      <p>${detail}</p>`,
  );
}

function titleOf(kind: string): string {
  if (kind === 'approval') return 'An agent asks for your approval';
  return kind === 'tool_call' ? 'An agent waits for a result' : 'An agent waits for your answer';
}

function yesOf(kind: string): string {
  if (kind === 'approval') return 'Approve';
  return kind === 'authorization' ? 'It is done' : 'Send';
}

/** What a yes must or may bring along. */
function fieldsOf(request: Request): readonly Html[] {
  const { kind, data = {} } = request;
  const { digest, asks, choices } = data;
  switch (kind) {
    case 'approval':
      // The run refuses an approval of anything but what this page shows.
      return typeof digest === 'string'
        ? [html`<input type="hidden" name="digest" value="${digest}" />`]
        : [];
    case 'authorization':
      return [];
    case 'tool_call':
      return relayCallsOf(request).map(({ name }, at) => field(`Result of ${name}`, `output-${at}`));
    case 'reconcile':
      return [field('What came of it', 'output')];
    default:
      if (asks === 'choice' && Array.isArray(choices))
        return choices.map((choice) => choiceOf(String(choice)));
      if (asks === 'form')
        return [field('Your answer: the form above, filled in as one JSON object', 'content')];
      return [field('Your answer', 'output')];
  }
}

function field(label: string, name: string): Html {
  return html`<label>${label}<textarea name="${name}"></textarea></label>`;
}

/** A value is sent as it is; only what is read shows hidden characters. */
function choiceOf(choice: string): Html {
  return html`<label><input type="radio" name="output" value="${raw(choice)}" required /> ${choice}</label>`;
}
