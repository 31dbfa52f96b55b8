/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ConfigSource } from '../config/config';
import { addressOf } from '../http/guard';
import type { Identity } from '../http/identity';
import type { InboxContext, InboxEnv } from './environment';
import { mayRead } from './scopes';
import { newOidcFlow, type OidcCheck } from './oidc';
import type { InboxOptions, SignInLimits } from './options';
import { isSecure, originOf } from './origin';
import { NOTHING, RefusalPage, type Refusal } from './refusals';
import { render } from './render';
import type { Sealer } from './sealed-cookie';
import type { Sessions } from './session';
import { nextOf } from './sign-in-routes';

const COOKIE = 'holdpoint-inbox-oidc';
const PURPOSE = 'oidc';
const SECONDS = 600;

interface OidcRoutes {
  readonly options: InboxOptions;
  readonly limits: SignInLimits;
  readonly sessions: Sessions;
  readonly sealer: Sealer;
}

/** Sign-in by an OpenID Connect provider, where one is set up. */
export function addOidcRoutes(app: Hono<InboxEnv>, { options, limits, sessions, sealer }: OidcRoutes): void {
  const { config, logger } = options;
  const flow = newOidcFlow(config);
  const redirectUri = (c: InboxContext): string => originOf(c, config) + c.var.frame.paths.oidcCallback;
  const refuse = (c: InboxContext, refusal: Refusal) =>
    render(c, <RefusalPage frame={c.var.frame} refusal={refusal} />, refusal.status);
  /** Sign-ins that fail count as wrong keys do. */
  const refuseCounted = async (c: InboxContext, refusal: Refusal): Promise<Response> => {
    await limits.countRefused(addressOf(c));
    return refuse(c, refusal);
  };
  const report = (error: unknown): void => {
    logger?.warn({ error: nameOf(error) }, 'A sign-in by OpenID did not succeed');
  };

  app.get('/oidc', async (c) => {
    if (!config.current.oidc) return refuse(c, NOTHING);
    await limits.checkRefused(addressOf(c));
    const begun = await flow.begin(redirectUri(c)).catch(report);
    if (!begun) return refuse(c, PROVIDER_AWAY);
    const remembered = await sealer.seal(
      PURPOSE,
      { ...begun.check, next: nextOf(c.req.query('next'), c) },
      SECONDS,
    );
    setCookie(c, COOKIE, remembered, { ...attributes(c, config), maxAge: SECONDS });
    return c.redirect(begun.url.href, 302);
  });

  app.get('/oidc/callback', async (c) => {
    if (!config.current.oidc) return refuse(c, NOTHING);
    // Before the provider is asked, which is work for it, too.
    await limits.checkRefused(addressOf(c));
    const remembered = await sealer.open(PURPOSE, getCookie(c, COOKIE));
    deleteCookie(c, COOKIE, attributes(c, config));
    const check = checkIn(remembered);
    if (!check) return refuseCounted(c, NOT_BEGUN);
    const current = new URL(redirectUri(c) + new URL(c.req.url).search);
    let identity: Identity | undefined;
    try {
      identity = await flow.finish(current, check);
    } catch (error) {
      report(error);
      return refuseCounted(c, NOT_FINISHED);
    }
    if (!identity || !mayRead(identity)) return refuseCounted(c, NOBODY);
    await sessions.begin(c, { is: 'oidc', identity });
    return c.redirect(nextOf(textIn(remembered, 'next'), c), 303);
  });
}

/** Its kind alone: what else is in it may hold a code or a token. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function checkIn(remembered: Readonly<Record<string, unknown>> | undefined): OidcCheck | undefined {
  const [state, nonce, verifier] = ['state', 'nonce', 'verifier'].map((name) => textIn(remembered, name));
  return state !== undefined && nonce !== undefined && verifier !== undefined
    ? { state, nonce, verifier }
    : undefined;
}

function textIn(record: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = record?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Lax: the provider sends the browser back by a link, and the cookie must come along. */
function attributes(c: InboxContext, config: ConfigSource) {
  return {
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(c, config),
    path: c.var.frame.paths.oidcCallback,
  } as const;
}

const PROVIDER_AWAY: Refusal = {
  status: 503,
  title: 'The sign-in service does not answer',
  text: 'Try again in a moment, or sign in with a key.',
};
const NOT_BEGUN: Refusal = {
  status: 400,
  title: 'This sign-in was not begun here',
  text: 'It was begun in another browser, or more than ten minutes ago. Begin it again.',
};
const NOT_FINISHED: Refusal = {
  status: 400,
  title: 'The sign-in did not succeed',
  text: 'The sign-in service refused it, or its answer does not fit what was asked. Begin it again.',
};
const NOBODY: Refusal = {
  status: 403,
  title: 'You have no access here',
  text: 'You are signed in at the service, and this inbox does not know you. Ask whoever runs it.',
};
