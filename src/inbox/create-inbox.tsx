/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorMessage } from '../agent/errors';
import { createLimits } from '../http/limits';
import { loadAssets } from './assets';
import type { InboxContext, InboxEnv } from './environment';
import { comesFromHere, hasOwnToken } from './form-guard';
import { addListRoutes } from './list-routes';
import { checkInboxOptions, type InboxOptions } from './options';
import { addOidcRoutes } from './oidc-routes';
import { pathsAt } from './paths';
import { readForm } from './read-form';
import type { Fields } from './read-decision';
import * as refusals from './refusals';
import { render } from './render';
import { addRequestRoutes } from './request-routes';
import { newRowsSource } from './rows-source';
import { addRunRoutes } from './run-routes';
import { mayRead } from './scopes';
import { newSealer } from './sealed-cookie';
import { securityHeaders } from './security-headers';
import { newSessions } from './session';
import { addSignInRoutes } from './sign-in-routes';
import { newViewsSource } from './views-source';

/** An edit of 256 kB is sent in three spellings of a form, and percent signs make each of them longer. */
const MAX_FORM_BYTES = 4 * 1024 * 1024;

/** A part of an application: mount it at the same path that it was told. */
export type Inbox = Hono;

/**
 * The pages where people see what waits for them and decide it.
 *
 * ```ts
 * app.route('/inbox', createInbox({ client, config, authenticate: createAuthenticator(config) }));
 * ```
 *
 * @throws HoldpointError `Holdpoint.Inbox.InvalidOptions`
 */
export function createInbox(options: InboxOptions): Inbox {
  checkInboxOptions(options);
  const { client, config, logger, limits = createLimits(config) } = options;
  const sealer = newSealer(config);
  const sessions = newSessions(options, sealer);
  const paths = pathsAt(options.path ?? '/inbox');
  const app = new Hono<InboxEnv>();

  /** The fields of a form of ours, or the refusal of anything else. */
  const form = async (c: InboxContext): Promise<Fields | Response> => {
    const fields = await readForm(c);
    if (!fields) return refuse(c, refusals.UNREADABLE);
    return hasOwnToken(fields, c.var.visit) ? fields : refuse(c, refusals.FOREIGN);
  };

  app.use(securityHeaders);
  app.get('/assets/:name', async (c) => {
    const file = (await loadAssets()).file(c.req.param('name'));
    if (!file) return c.notFound();
    // The name of each but the icon changes with its content.
    return c.body(file.body, 200, {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => c.text('This form is too large.', 413) }));
  app.use(async (c, next) => {
    const { style, live, form: script } = await loadAssets();
    const visit = await sessions.read(c);
    const { token, identity } = visit;
    c.set('visit', visit);
    c.set('frame', {
      paths,
      token,
      assets: { style, live, form: script },
      now: Date.now(),
      ...(identity && { identity }),
    });
    // Before anything else is said: a foreign page learns nothing, not even who is signed in.
    if (c.req.method === 'POST' && !comesFromHere(c, config)) return refuse(c, refusals.FOREIGN);
    return next();
  });
  addSignInRoutes(app, { options, limits, sessions, form });
  addOidcRoutes(app, { options, limits, sessions, sealer });
  app.use(async (c, next) => {
    const { identity } = c.var.visit;
    if (!identity) return turnAway(c);
    if (!mayRead(identity)) return refuse(c, refusals.NO_SCOPE);
    c.set('identity', identity);
    c.set('client', client.forTenant(identity.tenant ?? null));
    return next();
  });
  addListRoutes(app, newRowsSource());
  addRequestRoutes(app, form, newViewsSource());
  addRunRoutes(app, form);
  // The address as many people type it.
  app.get('/*', (c, next) => (c.req.path === `${paths.home}/` ? c.redirect(paths.home, 301) : next()));
  app.all('*', (c) => refuse(c, refusals.NOTHING));
  app.onError((error, c) => {
    const refusal = refusals.refusalOf(error);
    if (!refusal) logger?.error({ method: c.req.method }, `A page failed: ${errorMessage(error)}`);
    return refuse(c, refusal ?? refusals.FAULT);
  });
  return new Hono().route('/', app);
}

/** To the sign-in, and back to where they wanted to go; a script that reads on is told plainly. */
function turnAway(c: InboxContext): Response | Promise<Response> {
  const { paths } = c.var.frame;
  if (c.req.method !== 'GET') return refuse(c, refusals.SIGNED_OUT);
  const { pathname, search } = new URL(c.req.url);
  if (pathname.endsWith('/state') || c.req.query('part') !== undefined)
    return c.json({ signedOut: true }, 401);
  return c.redirect(`${paths.signIn}?next=${encodeURIComponent(pathname + search)}`, 302);
}

function refuse(c: InboxContext, refusal: refusals.Refusal): Response | Promise<Response> {
  const { frame } = c.var;
  // An error before the page's surroundings are known.
  if (!(frame as typeof frame | undefined)) return c.text(refusal.title, refusal.status);
  return render(c, <refusals.RefusalPage frame={frame} refusal={refusal} />, refusal.status);
}
