/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Head } from '../page-parts/head';
import { BASE_STYLE } from '../page-parts/style-base';
import { CONTENT_STYLE } from '../page-parts/style-content';

/** One style within the page: it may load nothing, not even from here. */
const STYLE = `${BASE_STYLE}${CONTENT_STYLE}
main { max-width: 46rem; }
`.replace(/\s+/g, ' ');

/** The page may load nothing, run nothing, and post only to where it came from. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every page is sent with: its address is a secret, and no other site may frame or keep it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** A whole page as text. What is put in is escaped by the way it is made. */
export async function page(title: string, body: Child): Promise<string> {
  const shell = (
    <html lang="en">
      <Head title={title}>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </Head>
      <body>
        <main>{body}</main>
      </body>
    </html>
  );
  return String(await html`<!doctype html>${shell}`);
}
