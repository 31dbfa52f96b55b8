import { Webhook } from 'standardwebhooks';
import { secretsProblem, signedHeaders, webhookIdOf } from '../../src/webhooks/sign';
import { NEXT_SECRET, SECRET } from './events';

const body = '{"type":"run.done"}';
const verify = (headers: object, secret: string, text = body): unknown =>
  new Webhook(secret).verify(text, { ...headers });
const sign = (secrets: readonly string[], at = new Date()) => signedHeaders('msg_1', body, secrets, at);

test('what is signed is verified by the package of the standard, and what was changed is not', () => {
  const headers = sign([SECRET]);
  expect(verify(headers, SECRET)).toEqual({ type: 'run.done' });
  expect(() => verify(headers, SECRET, '{"type":"run.failed"}')).toThrow(/No matching signature/);
  expect(() => verify({ ...headers, 'webhook-id': 'msg_2' }, SECRET)).toThrow(/No matching signature/);
});

test('while a secret is replaced, receivers with the old one and with the new one verify', () => {
  const headers = sign([NEXT_SECRET, SECRET]);
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  expect(verify(headers, SECRET)).toEqual(verify(headers, NEXT_SECRET));
  const other = `whsec_${Buffer.alloc(32, 'c').toString('base64')}`;
  expect(() => verify(headers, other)).toThrow(/No matching signature/);
});

test('each attempt has its own time and signature, under the same id', () => {
  const first = sign([SECRET], new Date(1_000_000));
  const second = sign([SECRET], new Date(1_002_000));
  expect([first, second].map((headers) => headers['webhook-timestamp'])).toEqual(['1000', '1002']);
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
});

test('an id is the same for one event and one endpoint, and holds nothing that divides what is signed', () => {
  const id = webhookIdOf('evt_a.b_1', 'crm');
  expect(id).toBe(webhookIdOf('evt_a.b_1', 'crm'));
  expect(new Set([id, webhookIdOf('evt_a.b_2', 'crm'), webhookIdOf('evt_a.b_1', 'shop')]).size).toBe(3);
  expect(id).toMatch(/^msg_[0-9a-f]{40}$/);
});

test.each([
  ['no text', 12_345_678_901_234],
  ['without its prefix', SECRET.slice('whsec_'.length)],
  ['an asymmetric key', SECRET.replace('whsec_', 'whsk_')],
  ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['no base64', `whsec_${'!'.repeat(40)}`],
  ['without its padding', SECRET.replace(/=+$/, '')],
])('a secret that is %s is refused without being shown', (_, secret) => {
  const problem = secretsProblem([SECRET, secret]);
  expect(problem).toMatch(/whsec_ and base64 of 24 to 64/);
  expect(problem).not.toContain(String(secret).slice(7, 20));
});

test('a good secret is taken', () => {
  expect(secretsProblem([NEXT_SECRET, SECRET])).toBeUndefined();
});
