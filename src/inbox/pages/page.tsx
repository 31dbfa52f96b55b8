/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Frame } from '../frame';
import { Head } from '../../page-parts/head';
import { Text } from '../../page-parts/text';
import { TOKEN_FIELD } from '../form-guard';

export interface PageProps {
  readonly frame: Frame;
  readonly title: string;
  readonly children?: Child;
  /** Scripts of this page. */
  readonly scripts?: readonly string[];
}

/** The frame of every page: what it is called, who is signed in, and how to leave. */
export function Page({ frame, title, children, scripts = [] }: PageProps) {
  const { paths, assets, identity } = frame;
  return (
    <html lang="en">
      <Head title={title}>
        <link rel="icon" href={paths.asset('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={paths.asset(assets.style)} />
        {scripts.map((name) => (
          <script type="module" src={paths.asset(name)}></script>
        ))}
      </Head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <a class="brand" href={paths.home}>
            <span class="mark" aria-hidden="true"></span>Holdpoint
          </a>
          {identity ? (
            <form class="who" method="post" action={paths.signOut}>
              <Token frame={frame} />
              <span class="muted">
                <Text text={identity.subject} />
              </span>
              <button class="quiet" type="submit">
                Sign out
              </button>
            </form>
          ) : null}
        </header>
        <main id="main" tabindex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

/** The field that proves where a form came from. */
export function Token({ frame }: { readonly frame: Frame }) {
  return <input type="hidden" name={TOKEN_FIELD} value={frame.token} />;
}
