/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Frame } from '../frame';
import { Page, Token } from './page';

export interface SignInProps {
  readonly frame: Frame;
  /** Where to go afterwards, a path of the inbox. */
  readonly next: string;
  /** Name of the provider, where there is one. */
  readonly provider?: string;
  readonly problem?: string;
}

export function SignInPage({ frame, next, provider, problem }: SignInProps) {
  return (
    <Page frame={frame} title="Sign in">
      <div class="narrow">
        <h1>Sign in</h1>
        <p class="muted">Agents wait here for a person's decision.</p>
        {problem === undefined ? null : (
          <p class="problem" role="alert" id="problem">
            {problem}
          </p>
        )}
        {provider === undefined ? null : (
          <p>
            <a class="button" href={`${frame.paths.oidc}?next=${encodeURIComponent(next)}`}>
              Sign in with {provider}
            </a>
          </p>
        )}
        <form class="card" method="post" action={frame.paths.signIn}>
          <Token frame={frame} />
          <input type="hidden" name="next" value={next} />
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autocomplete="current-password"
            required
            aria-describedby={problem === undefined ? undefined : 'problem'}
          />
          <button class="primary" type="submit">
            Sign in with a key
          </button>
        </form>
      </div>
    </Page>
  );
}
