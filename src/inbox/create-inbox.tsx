/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { loadAssets } from './assets';
import type { InboxContext, InboxEnv } from './environment';
import { isOwnPost } from './form-guard';
import { mayRead } from './identity';
import { addListRoutes } from './list-routes';
import { checkInboxOptions, type InboxClient, type InboxOptions } from './options';
import { addOidcRoutes } from './oidc-routes';
import { pathsAt } from './paths';
import { readForm } from './read-form';
import { FAULT, RefusalPage, refusalOf } from './refusals';
import { render } from './render';
import { addRequestRoutes } from './request-routes';
import type { Fields } from './read-decision';
import type { Identity } from './identity';
import { newRowsSource } from './rows-source';
import { addRunRoutes } from './run-routes';
import { newSealer } from './sealed-cookie';
import { securityHeaders } from './security-headers';
import { newSessions } from './session';
import { addSignInRoutes } from './sign-in-routes';

const MAX_FORM_BYTES = 2 * 1024 * 1024;

/**
 * The pages where people see what waits for them and decide it: a Hono app to mount at `path`.
 *
 * ```ts
 * app.route('/inbox', createInbox({ client, authenticate, sessionSecrets: [secret] }));
 * ```
 *
 * @throws HoldpointError `Holdpoint.Inbox.InvalidOptions`
 */
export function createInbox(options: InboxOptions): Hono<InboxEnv> {
  checkInboxOptions(options);
  const sealer = newSealer(options.sessionSecrets);
  const sessions = newSessions(options, sealer);
  const paths = pathsAt(options.path ?? '/inbox');
  const source = newRowsSource();
  const app = new Hono<InboxEnv>();

  /** The fields of a form of ours, or the refusal of anything else. */
  const form = async (c: InboxContext): Promise<Fields | Response> => {
    const fields = await readForm(c);
    if (!fields) return refuse(c, UNREADABLE);
    return isOwnPost(c, fields, c.var.visit, options) ? fields : refuse(c, FOREIGN);
  };

  app.use(securityHeaders);
  app.get('/assets/:name', async (c) => {
    const file = (await loadAssets()).file(c.req.param('name'));
    if (!file) return c.notFound();
    return c.body(file.body, 200, {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => c.text('This form is too large.', 413) }));
  app.use(async (c, next) => {
    const { style, live, form } = await loadAssets();
    const visit = await sessions.read(c);
    c.set('visit', visit);
    c.set('frame', {
      paths,
      token: visit.token,
      assets: { style, live, form },
      now: Date.now(),
      ...(visit.identity && { identity: visit.identity }),
    });
    await next();
  });
  addSignInRoutes(app, { options, sessions, form });
  addOidcRoutes(app, { options, sessions, sealer });
  app.use(async (c, next) => {
    const { identity } = c.var.visit;
    if (!identity) return turnAway(c);
    if (!mayRead(identity)) return refuse(c, NO_SCOPE);
    const client = clientFor(identity, options);
    if (!client) return refuse(c, NO_TENANTS);
    c.set('identity', identity);
    c.set('client', client);
    return next();
  });
  addListRoutes(app, source);
  addRequestRoutes(app, form, source);
  addRunRoutes(app);
  app.all('*', (c) => refuse(c, NOTHING));
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    if (!refusal) options.onError?.(error);
    return refuse(c, refusal ?? FAULT);
  });
  return app;
}

function clientFor({ tenant }: Identity, { client, forTenant }: InboxOptions): InboxClient | undefined {
  return tenant === undefined ? client : forTenant?.(tenant);
}

/** To the sign-in, and back to where they wanted to go; a script that reads on is told plainly. */
function turnAway(c: InboxContext): Response | Promise<Response> {
  const { paths } = c.var.frame;
  if (c.req.method !== 'GET') return refuse(c, SIGNED_OUT);
  const { pathname, search } = new URL(c.req.url);
  if (pathname.endsWith('/state') || c.req.query('part') !== undefined)
    return c.json({ signedOut: true }, 401);
  return c.redirect(`${paths.signIn}?next=${encodeURIComponent(pathname + search)}`, 302);
}

function refuse(
  c: InboxContext,
  refusal: Parameters<typeof RefusalPage>[0]['refusal'],
): Response | Promise<Response> {
  const { frame } = c.var;
  // An error before the page's surroundings are known.
  if (!(frame as typeof frame | undefined)) return c.text(refusal.title, refusal.status);
  return render(c, <RefusalPage frame={frame} refusal={refusal} />, refusal.status);
}

const UNREADABLE = {
  status: 415,
  title: 'This is no form of ours',
  text: 'Send the form of the page.',
} as const;
const FOREIGN = {
  status: 403,
  title: 'This did not come from here',
  text: 'The form was not sent from a page of this inbox, or you have signed in again since. Nothing was changed. Load the page again and decide there.',
} as const;
const NO_SCOPE = {
  status: 403,
  title: 'You may not read this',
  text: 'Your sign-in has no scope requests:read.',
} as const;
const NO_TENANTS = {
  status: 403,
  title: 'You may not read this',
  text: 'This inbox is not set up for people of one tenant.',
} as const;
const SIGNED_OUT = {
  status: 401,
  title: 'You are signed out',
  text: 'Nothing was changed. Sign in again, and decide then.',
} as const;
const NOTHING = { status: 404, title: 'There is nothing here', text: 'There is no such page.' } as const;
