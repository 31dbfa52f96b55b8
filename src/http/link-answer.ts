import type { Context } from 'hono';
import type { z } from '@hono/zod-openapi';
import { HoldpointError } from '../agent/errors';
import { isRecord, parseJson, type JsonObject } from '../agent/json';
import { relayAnswer } from '../agent/relay';
import type { Request } from '../agent/request';
import type { ConfigSource } from '../config/config';
import { resultsIn } from '../page-parts/call-fields';
import { postedChoice } from '../page-parts/posted-choice';
import type { AnswerGrant } from '../tokens/answer-token';
import { isSigned } from './incoming';
import { linkAnswerBody, linkForm } from './schemas';
import { malformed } from './services';
import type { AnswerBody } from './to-answer';

/** Reads what was posted to a link: JSON, or the form of its page. `request` is what the page showed, if it is open. */
export async function readLinkAnswer(
  c: Context,
  grant: AnswerGrant,
  request: Request | undefined,
): Promise<AnswerBody> {
  const { requestId } = grant;
  if (isForm(c) && !isSigned(c.req.raw.headers))
    return { id: requestId, ...fromForm(checked(linkForm, 'form', await c.req.parseBody()), request) };
  const { runId, id, ...said } = checked(linkAnswerBody, 'json', await jsonOf(c));
  refuseAnothers(grant, { runId, id }, isSigned(c.req.raw.headers));
  return { id: requestId, ...said };
}

/** A signature covers the body alone: without these in it, the same message would answer at any other link, too. */
function refuseAnothers(
  grant: AnswerGrant,
  named: { readonly runId: string | undefined; readonly id: string | undefined },
  mustName: boolean,
): void {
  const fits = (value: string | undefined, wanted: string): boolean =>
    value === undefined ? !mustName : value === wanted;
  if (fits(named.runId, grant.runId) && fits(named.id, grant.requestId)) return;
  throw new HoldpointError(
    'Holdpoint.Http.Malformed',
    'The body does not name what this link answers. Put `runId` and `id` of the request into what is signed.',
  );
}

export function isForm(c: Context): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '');
}

/**
 * Refuses what another site's page sends. Our own page asks for no referrer, so a browser writes `null` as its
 * origin; it then says by another header whether the site is the same.
 */
export function refuseForeignOrigin(c: Context, config: ConfigSource): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const own = [new URL(c.req.url).origin, ...ownOrigin(config)];
  const isOwn = site === undefined ? origin === undefined || own.includes(origin) : SAME.includes(site);
  if (isOwn) return;
  throw new HoldpointError(
    'Holdpoint.Http.Forbidden',
    'This was sent by the page of another site. Open the link itself and answer there.',
  );
}

const SAME: readonly string[] = ['same-origin', 'none'];

function ownOrigin({ current: { publicUrl } }: ConfigSource): readonly string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).origin];
}

async function jsonOf(c: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new HoldpointError(
      'Holdpoint.Http.UnsupportedMediaType',
      'Send the answer as application/json, or as the form of the page.',
    );
  const value = parseJson(await c.req.text());
  if (value === undefined) throw new HoldpointError('Holdpoint.Http.Malformed', 'The body is not JSON.');
  return value;
}

function checked<T extends z.ZodType>(schema: T, target: string, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw malformed(target, result.error.issues);
}

function fromForm(form: z.output<typeof linkForm>, request: Request | undefined): Omit<AnswerBody, 'id'> {
  const { decision, reason } = form;
  if (decision === 'decline') return { ok: false, ...(reason && { reason }) };
  const data = dataOf(request, form);
  return { ok: true, ...(data && { data }) };
}

/** What the page's fields say, by what was asked. */
function dataOf(
  request: Request | undefined,
  { output, content, digest, ...fields }: Readonly<Record<string, string | undefined>>,
): JsonObject | undefined {
  if (digest !== undefined) return { digest };
  if (content !== undefined) {
    const form = parseJson(content);
    if (isRecord(form)) return { content: form };
    throw new HoldpointError('Holdpoint.Http.Malformed', 'Fill the form in as one JSON object.');
  }
  // A browser sends each line break as two characters.
  if (output !== undefined) return { output: postedChoice(request?.data?.['choices'], output) };
  if (request?.kind !== 'tool_call') return undefined;
  const results = resultsIn(fields);
  if (results.length === 0)
    throw new HoldpointError('Holdpoint.Http.Malformed', 'Write the result of a call.');
  return relayAnswer(request.id, results).data;
}
