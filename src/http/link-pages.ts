import type { Context } from 'hono';
import { HoldpointError } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import { requestPath } from '../page-parts/request-path';
import type { AnswerGrant } from '../tokens/answer-token';
import { answerPage } from './answer-page';
import type { Given } from './answer-forms';
import { readRequest, type Granted, type LinkReading } from './granted';
import { PAGE_HEADERS } from './html';
import { answeredPage, recordedPage } from './outcome-page';
import { toProblem } from './problem';
import type { Services } from './services';

/** The page of a link as things stand: the request, or what became of it; `undefined` where nothing did. */
export async function linkPage(
  services: Services,
  grant: AnswerGrant,
  { run, request, calls, receipts }: LinkReading,
  again: { readonly problem?: string; readonly given?: Given } = {},
): Promise<string | undefined> {
  const inboxUrl = inboxUrlOf(services, grant);
  if (request) return answerPage({ run, request, calls, grant, inboxUrl, now: Date.now(), ...again });
  return receipts.some(({ resolved }) => resolved) ? answeredPage({ receipts, inboxUrl }) : undefined;
}

/** What a form came to. Something to correct goes back to its form, with what was typed. */
export async function showAnswered(
  services: Services,
  c: Context,
  granted: Granted,
  reading: LinkReading,
  answer: () => Promise<Receipt>,
): Promise<Response> {
  const { grant } = granted;
  try {
    const own = await answer();
    // It is accepted, whatever becomes of another look.
    const { receipts, request } = await readRequest(services, granted).catch(() => NOT_READ);
    const inboxUrl = inboxUrlOf(services, grant);
    return c.body(await recordedPage(own, { receipts, request, inboxUrl }), 200, PAGE_HEADERS);
  } catch (error) {
    if (!reading.request || !isPerson(c) || !isCorrectable(error)) throw error;
    const { status, detail } = toProblem(error);
    const again = { problem: detail, given: await givenIn(c) };
    // Of several calls one may be settled by now; what was typed for the others is not lost.
    const now = status === 409 ? await readRequest(services, granted) : reading;
    if (!now.request) throw error;
    const shown = await linkPage(services, grant, now, again);
    return c.body(shown ?? '', status, PAGE_HEADERS);
  }
}

/** Somebody at a browser reads pages, a program problem documents. */
export function isPerson(c: Context): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '');
}

const NOT_READ: Pick<LinkReading, 'receipts' | 'request'> = { receipts: [] };

const CORRECTABLE: readonly string[] = [
  'Holdpoint.Http.Malformed',
  'Holdpoint.Answer.Malformed',
  'Holdpoint.Answer.Invalid',
  'Holdpoint.Answer.TooLarge',
  'Holdpoint.Answer.AlreadyAnswered',
];

function isCorrectable(error: unknown): error is HoldpointError {
  return error instanceof HoldpointError && CORRECTABLE.includes(error.type);
}

async function givenIn(c: Context): Promise<Given> {
  const fields = Object.entries(await c.req.parseBody());
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function inboxUrlOf({ inboxPath }: Services, { runId, requestId }: AnswerGrant): string | undefined {
  return inboxPath === undefined ? undefined : inboxPath + requestPath(runId, requestId);
}
