/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import { addressOf } from '../http/guard';
import type { InboxContext, InboxEnv } from './environment';
import type { InboxOptions, SignInLimits } from './options';
import { SignInPage } from './pages/sign-in-page';
import { render } from './render';
import type { Fields } from './read-decision';
import { mayRead } from './scopes';
import { identityOfKey, type Sessions } from './session';

interface SignIn {
  readonly options: InboxOptions;
  readonly limits: SignInLimits;
  readonly sessions: Sessions;
  readonly form: (c: InboxContext) => Promise<Fields | Response>;
}

/** A cookie holds about four thousand. */
const MAX_KEY_LENGTH = 2_000;

const UNKNOWN_KEY = 'This key is not known here, or no longer valid.';
const NO_SCOPE = 'This key may not read requests: it has no scope requests:read.';

/** Sign-in with an API key, and sign-out. */
export function addSignInRoutes(app: Hono<InboxEnv>, { options, limits, sessions, form }: SignIn): void {
  const { authenticate, config } = options;

  const show = async (c: InboxContext, next: string, problem?: string): Promise<Response> => {
    const { token } = await sessions.ensure(c, c.var.visit);
    const { oidc } = config.current;
    return render(
      c,
      <SignInPage
        frame={{ ...c.var.frame, token }}
        next={next}
        {...(oidc && { provider: new URL(oidc.issuer).host })}
        {...(problem !== undefined && { problem })}
      />,
      problem === undefined ? 200 : 401,
    );
  };

  app.get('/sign-in', (c) => show(c, nextOf(c.req.query('next'), c)));

  app.post('/sign-in', async (c) => {
    const fields = await form(c);
    if (fields instanceof Response) return fields;
    const next = nextOf(fields['next'], c);
    // Before anything is looked up or hashed.
    await limits.checkRefused(addressOf(c));
    const key = (fields['key'] ?? '').trim();
    const identity = key.length > MAX_KEY_LENGTH ? undefined : await identityOfKey(key, authenticate);
    if (!identity || !mayRead(identity)) {
      await limits.countRefused(addressOf(c));
      return show(c, next, identity ? NO_SCOPE : UNKNOWN_KEY);
    }
    await sessions.begin(c, { is: 'key', key });
    return c.redirect(next, 303);
  });

  app.post('/sign-out', async (c) => {
    const fields = await form(c);
    if (fields instanceof Response) return fields;
    sessions.end(c);
    return c.redirect(c.var.frame.paths.signIn, 303);
  });
}

/** Only a page of the inbox: nobody is led elsewhere by a link to the sign-in. */
export function nextOf(given: string | undefined, c: InboxContext): string {
  const { home } = c.var.frame.paths;
  if (given === undefined || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(given)) return home;
  const { origin, pathname } = new URL(given, 'http://inbox.invalid');
  const inside = origin === 'http://inbox.invalid' && (pathname === home || pathname.startsWith(`${home}/`));
  return inside ? given : home;
}
