import { apiRoute } from '../api-route';
import type { Context } from 'hono';
import { HoldpointError } from '../../agent/errors';
import { isRecord } from '../../agent/json';
import type { Receipt } from '../../agent/receipt';
import type { AnswerTarget } from '../../client';
import { boundBytes, refuseDeepBody } from '../bound-body';
import { countRefused, guardSigned, verifySigned } from '../guard';
import { openLink, orUnknown, readRequest, type Granted } from '../granted';
import { PAGE_HEADERS } from '../html';
import { isSigned } from '../incoming';
import { isForm, readLinkAnswer, refuseForeignOrigin } from '../link-answer';
import { isPerson, linkPage, showAnswered } from '../link-pages';
import { answeredPage, problemPage } from '../outcome-page';
import { problemHeaders, toProblem } from '../problem';
import { jsonBody, OF_A_BODY, responsesOf } from '../responses';
import * as schemas from '../schemas';
import { noteRefusal, sendAnswer } from '../send-answer';
import { newApp, type HttpApp, type Services } from '../services';
import { senderOf, type AnswerBody, type Sender } from '../to-answer';
import { unknownToken, type AnswerGrant } from '../../tokens/answer-token';

/** Answers without a key: by a link that is itself the permission, or signed by a machine that is known. */
export function linkRoutes(services: Services): HttpApp {
  const app = newApp();
  app.openapi(
    apiRoute({
      method: 'get',
      path: '/v1/answers/{token}',
      summary: 'See what a link answers',
      description: 'A page with what will happen and a button. Reading it answers nothing.',
      security: [],
      request: { params: schemas.tokenParams },
      responses: responsesOf({ 200: ['The page', schemas.plainText, 'text/html'] }, [404, 410], OPEN),
    }),
    async (c): Promise<Response> =>
      orPage(c, async () => {
        const granted = await counted(services, c, c.req.valid('param').token);
        const reading = await readRequest(services, granted);
        const shown = await linkPage(services, granted.grant, reading);
        return shown === undefined
          ? c.body(await problemPage(GONE), 410, PAGE_HEADERS)
          : c.body(shown, 200, PAGE_HEADERS);
      }),
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/answers/{token}',
      summary: 'Answer by a link',
      description:
        'JSON, or the form of the page. With the headers of Standard Webhooks the answer is the sender’s, and `webhook-id` names it.',
      security: [],
      middleware: boundBytes(services),
      request: {
        params: schemas.tokenParams,
        body: {
          content: {
            'application/json': { schema: schemas.linkAnswerBody },
            'application/x-www-form-urlencoded': { schema: schemas.linkForm },
          },
        },
      },
      responses: responsesOf(
        { 200: ['Accepted', schemas.receipt] },
        [...OF_A_BODY, 401, 403, 404, 409, 410],
        OPEN,
      ),
    }),
    async (c): Promise<Response> =>
      orPage(c, async () => {
        refuseForeignOrigin(c, services.config);
        const granted = await counted(services, c, c.req.param('token'));
        const { from, answerId } = await whoAnswers(services, c, granted);
        const reading = await readRequest(services, granted);
        const answer = async (): Promise<Receipt> => {
          await refuseDeepBody(c);
          const said = await readLinkAnswer(c, granted.grant, reading.request);
          const body = { ...said, ...(answerId !== undefined && { answerId }) };
          if (!isAllowed(body, granted.grant)) await refuseDecision(from, granted.grant, body);
          return orUnknown(() => sendAnswer(services, from, granted.grant.runId, body));
        };
        if (!isForm(c)) return c.json(await answer(), 200);
        return showAnswered(services, c, granted, reading, answer);
      }),
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/answers',
      summary: 'Answer with a signature',
      description:
        'For machines whose secret is configured under `webhooks.incoming`: signed with Standard Webhooks. The same `webhook-id` again is a replay and gets the first receipt.',
      security: [{ signature: [] }],
      middleware: [boundBytes(services), guardSigned(services)] as const,
      request: { body: jsonBody(schemas.signedAnswerBody) },
      responses: responsesOf({ 200: ['Accepted', schemas.receipt] }, [...OF_A_BODY, 404, 409, 410]),
    }),
    async (c) => {
      const { runId, conversationId = '', ...body } = c.req.valid('json');
      const answerId = c.get('answerId');
      const from = senderOf(c.get('identity'), c.get('client'), 'webhook');
      const whose: AnswerTarget = runId ?? { conversationId };
      return c.json(await sendAnswer(services, from, whose, { ...body, answerId }), 200);
    },
  );
  return app;
}

/** What an open route may answer besides. */
const OPEN = [429, 500, 503];

const GONE = {
  title: 'This is not open any more',
  code: 'Holdpoint.Answer.UnknownRequest',
  detail: 'The request of this link is not open any more. Nobody has answered it.',
} as const;

/** Opens a link, and counts who tries: a stranger by their address, a link by itself. */
async function counted(services: Services, c: Context, token: string): Promise<Granted> {
  const granted = await countRefused(services, c, () => openLink(services, token));
  await services.limits.countRequest(granted.identity.account);
  return granted;
}

/** Whose answer it is: the link's, or a machine's that signed what it posted to the link. */
async function whoAnswers(
  services: Services,
  c: Context,
  { client, grant }: Granted,
): Promise<{ readonly from: Sender; readonly answerId?: string }> {
  if (!isSigned(c.req.raw.headers)) {
    const { by, roles = [] } = grant;
    return { from: { ...(by !== undefined && { by }), roles, client, channel: 'link' } };
  }
  const { identity, answerId } = await verifySigned(services, c);
  if (identity.tenant !== grant.tenant) throw unknownToken();
  return { from: senderOf(identity, client, 'webhook'), answerId };
}

function isAllowed({ ok }: AnswerBody, { decisions }: AnswerGrant): boolean {
  return decisions === undefined || decisions.includes(ok ? 'approve' : 'decline');
}

async function refuseDecision(from: Sender, { runId }: AnswerGrant, body: AnswerBody): Promise<never> {
  const refusal = new HoldpointError(
    'Holdpoint.Http.Forbidden',
    `This link does not allow to ${body.ok ? 'approve' : 'decline'}.`,
  );
  await noteRefusal(from, runId, body, refusal);
  throw refusal;
}

/** A person at a browser reads a page, a program a problem document. */
async function orPage(c: Context, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const problem = toProblem(error);
    if (!isPerson(c) || problem.status === 500) throw error;
    const { receipt } = problem;
    const body = isReceipt(receipt) ? answeredPage({ receipts: [receipt] }) : problemPage(problem);
    return c.body(await body, problem.status, { ...problemHeaders(problem), ...PAGE_HEADERS });
  }
}

function isReceipt(value: unknown): value is Receipt {
  return isRecord(value) && typeof value['ok'] === 'boolean' && typeof value['at'] === 'string';
}
