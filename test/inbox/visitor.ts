import type { Hono } from 'hono';

export const HERE = { 'sec-fetch-site': 'same-origin' };

interface Entered {
  readonly app: Hono;
  keyOf(name: string): string;
}

/** A form as a browser posts it from a page of the inbox. */
export async function send(
  app: Hono,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return app.request(`http://inbox.test/inbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...HERE, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

export async function tokenOf(response: Response): Promise<string> {
  return /name="token" value="([\w-]+)"/.exec(await response.text())?.[1] ?? '';
}

export function cookieOf(response: Response): string {
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** Signs somebody in; gives their cookie and the token of their forms. */
export async function signedIn(entered: Entered, name: string): Promise<{ cookie: string; token: string }> {
  const { app } = entered;
  const page = await app.request('http://inbox.test/inbox/sign-in');
  const cookie = cookieOf(page);
  const fields = { token: await tokenOf(page), key: entered.keyOf(name) };
  const response = await send(app, '/sign-in', fields, { cookie });
  expect(response.status).toBe(303);
  const own = cookieOf(response);
  const form = await app.request('http://inbox.test/inbox', { headers: { cookie: own } });
  return { cookie: own, token: await tokenOf(form) };
}
