import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A page as an answer to the browser. */
export async function render(
  c: Context,
  page: JSX.Element,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  if (status === 503) c.header('Retry-After', '5');
  return c.html(html`<!doctype html>${page}`, status);
}
