import { answerDeclined } from '../../src/agent/relay';
import { newId } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { halt, openHttpDesk, type CallOptions, type HttpDesk, type HttpReply } from './desk';

let http: HttpDesk;
let acme: string;
let strangers: readonly string[];
const tenant = `acme-${newId().slice(2, 10)}`;

beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk();
  acme = http.key({ tenant });
  strangers = [http.key({ tenant: 'rival' }), http.key()];
});
afterAll(() => http?.close());

/** What a caller sees of a reply, with the ids that they sent taken out. */
function seen({ status, text, headers }: HttpReply, ...ids: readonly string[]): object {
  const type = headers.get('content-type');
  return { status, type, text: ids.reduce((left, id) => left.replaceAll(id, '<id>'), text) };
}

test('on every route another tenant’s run is answered exactly as one that does not exist', async () => {
  const { runId, requestId } = await halt(http, { key: acme, runId: newId() });
  const conversationId = newId();
  const asked = await http.call(`/v1/conversations/${conversationId}/messages`, {
    key: acme,
    body: {
      agent: 'desk',
      message: http.desk.play([{ toolCalls: [{ id: 'a', name: 'stock', arguments: {} }] }]),
    },
    headers: { prefer: 'wait=30' },
  });
  expect(asked.json).toMatchObject({ runId: `${conversationId}/1`, status: 'pending' });
  const answer = answerDeclined(requestId);
  const routes: readonly (readonly [string, CallOptions])[] = [
    ['/v1/runs/{id}', {}],
    ['/v1/runs/{id}?messages=false', {}],
    ['/v1/runs/{id}/answers', { body: answer }],
    ['/v1/runs/{id}/messages', { body: { message: 'x' } }],
    ['/v1/runs/{id}/cancel', { method: 'POST' }],
    ['/v1/runs/{id}/events', {}],
    ['/v1/runs/{id}/events', { headers: { 'last-event-id': '5' } }],
    ['/v1/conversations/{id}/answers', { body: answer }],
    ['/v1/conversations/{id}/abandon', { body: {} }],
  ];
  const names = [runId, `${tenant}/${runId}`, conversationId, `${conversationId}/1`];
  for (const key of strangers)
    for (const [route, options] of routes)
      for (const name of [...names, `${tenant}/${conversationId}/1`]) {
        const real = name.includes(runId) ? runId : conversationId;
        const missing = newId();
        const at = (id: string): string => route.replace('{id}', encodeURIComponent(name.replace(real, id)));
        const theirs = await http.call(at(real), { ...options, key });
        const nobodys = await http.call(at(missing), { ...options, key });
        expect({ route, name, ...seen(theirs, real) }).toEqual({ route, name, ...seen(nobodys, missing) });
        expect(theirs.status).toBe(404);
      }
  await expect(http.call(`/v1/runs/${runId}`, { key: acme })).resolves.toMatchObject({
    json: { runId, status: 'pending' },
  });
});

test('lists show a tenant its own, and nobody else’s', async () => {
  const { runId } = await halt(http, { key: acme, runId: newId() });
  await until('it is listed', async () =>
    (await http.call('/v1/requests', { key: acme })).text.includes(`"${runId}"`),
  );
  for (const key of strangers)
    for (const path of ['/v1/runs?limit=100', '/v1/requests?limit=20', `/v1/runs?tenant=${tenant}`]) {
      const { status, text } = await http.call(path, { key });
      expect(status).toBe(200);
      expect(text).not.toContain(runId);
      expect(text).not.toContain(tenant);
    }
});

test('two tenants use one run id and one idempotency key for runs of their own', async () => {
  const runId = newId();
  const [one, other] = await Promise.all([
    halt(http, { key: acme, runId }),
    halt(http, { key: strangers[0] ?? '', runId }),
  ]);
  expect(one.requestId).not.toBe(other.requestId);
});

test('a key for a tenant starts runs of that tenant, whatever the body says', async () => {
  const reply = await http.call('/v1/runs', {
    body: { agent: 'desk', input: 'x', tenant: 'rival' },
    key: acme,
  });
  expect(reply).toMatchObject({ status: 400, json: { code: 'Holdpoint.Http.Malformed' } });
});
