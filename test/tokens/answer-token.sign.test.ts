import { SignJWT } from 'jose';
import type { SigningKey } from '../../src/config/config';
import { answerLink } from '../../src/tokens/answer-link';
import { createAnswerToken, verifyAnswerToken, type AnswerGrant } from '../../src/tokens/answer-token';
import { configOf } from '../http/desk';
import { holdpointError } from '../support/matchers';

const key = (id: string, fill: number, verifyOnly = false): SigningKey => ({
  id,
  secret: new Uint8Array(32).fill(fill),
  verifyOnly,
});
const keys = [key('old', 1, true), key('new', 2)];
const grant: AnswerGrant = {
  runId: 'customer-77/3',
  firstExecutionId: 'e-1',
  requestId: 'req_1',
  tenant: 'acme',
  by: 'ann',
  roles: ['boss'],
  decisions: ['decline'],
};
const unknown = holdpointError('Holdpoint.Token.Unknown');

test('a token gives back what it allows, also months later and after its key was rotated', async () => {
  const token = await createAnswerToken([key('old', 1)], grant, { at: Date.now() - 150 * 24 * 3600 * 1000 });
  await expect(verifyAnswerToken(keys, token)).resolves.toEqual(grant);
  const bare = { runId: 'ticket-77', firstExecutionId: 'e-1', requestId: 'req_1' };
  await expect(verifyAnswerToken(keys, await createAnswerToken(keys, bare))).resolves.toEqual(bare);
});

test('the first key that signs signs; a key that only verifies never does', async () => {
  const token = await createAnswerToken(keys, grant);
  await expect(verifyAnswerToken([key('new', 2)], token)).resolves.toEqual(grant);
  await expect(verifyAnswerToken([key('old', 1)], token)).rejects.toEqual(unknown);
  await expect(createAnswerToken([key('old', 1, true)], grant)).rejects.toEqual(
    holdpointError('Holdpoint.Token.NoKey', /holdpoint keys signing/),
  );
});

test('the same grant at the same instant is the same token, so that a repeated webhook is the same to the byte', async () => {
  const times = { at: 1_760_000_000_123, expiresAt: 4_000_000_000_000 };
  expect(await createAnswerToken(keys, grant, times)).toBe(await createAnswerToken(keys, grant, times));
});

test('one that has expired says so; one that was never ours does not, whatever its time', async () => {
  const over = { at: Date.now() - 10_000, expiresAt: Date.now() - 5_000 };
  const token = await createAnswerToken(keys, grant, over);
  await expect(verifyAnswerToken(keys, token)).rejects.toEqual(holdpointError('Holdpoint.Token.Expired'));
  await expect(verifyAnswerToken([key('new', 3)], token)).rejects.toEqual(unknown);
});

const HEADER = { alg: 'HS256', kid: 'new', typ: 'holdpoint-answer+jwt' };
const CLAIMS = { run: 'r', exe: 'e', req: 'q' };

test.each<[string, object, object, string | null, number]>([
  ['of another purpose', HEADER, CLAIMS, 'holdpoint:session', 60],
  ['of another type', { ...HEADER, typ: 'JWT' }, CLAIMS, 'holdpoint:answer', 60],
  ['of a key that is not known', { ...HEADER, kid: 'none' }, CLAIMS, 'holdpoint:answer', 60],
  ['without a key', { ...HEADER, kid: undefined }, CLAIMS, 'holdpoint:answer', 60],
  ['signed otherwise', { ...HEADER, alg: 'HS512' }, CLAIMS, 'holdpoint:answer', 60],
  ['that never expires', HEADER, CLAIMS, 'holdpoint:answer', 0],
  ['for no request', HEADER, { run: 'r', exe: 'e' }, 'holdpoint:answer', 60],
])('a token %s is none, though its signature is ours', async (_, header, claims, audience, seconds) => {
  const jwt = new SignJWT({ ...claims }).setProtectedHeader(header as typeof HEADER);
  if (audience !== null) jwt.setAudience(audience);
  if (seconds > 0) jwt.setExpirationTime(`${seconds}s`);
  const secret = new Uint8Array(64).fill(2);
  const signed = await jwt.sign('alg' in header && header.alg === 'HS512' ? secret : secret.slice(0, 32));
  await expect(verifyAnswerToken(keys, signed)).rejects.toEqual(unknown);
});

test('no text is a token: not an empty one, not a long one, not one with a piece changed', async () => {
  const token = await createAnswerToken(keys, grant);
  const [head = '', body = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ ...CLAIMS, aud: 'holdpoint:answer', exp: 4e9 })).toString(
    'base64url',
  );
  for (const text of [
    '',
    '.',
    '..',
    'x'.repeat(100_000),
    `${head}.${forged}.${signature}`,
    `${head}.${body}.`,
  ])
    await expect(verifyAnswerToken(keys, text)).rejects.toEqual(unknown);
});

test('a link begins with the configured address and carries the run’s id as its tenant knows it', async () => {
  const configured = (file: object) => ({ current: { ...configOf(file), signingKeys: keys } });
  const link = {
    runId: 'acme/customer-77/3',
    tenant: 'acme',
    firstExecutionId: 'e-1',
    request: { id: 'req_1', expiresAt: '2100-01-01T00:00:00Z' },
  };
  const url = await answerLink(configured({ publicUrl: 'https://holdpoint.test/base/' }), link);
  const [, token = ''] = /^https:\/\/holdpoint\.test\/base\/v1\/answers\/(.+)$/.exec(url) ?? [];
  await expect(verifyAnswerToken(keys, token)).resolves.toEqual({
    runId: 'customer-77/3',
    tenant: 'acme',
    firstExecutionId: 'e-1',
    requestId: 'req_1',
  });
  await expect(answerLink(configured({}), link)).rejects.toEqual(
    holdpointError('Holdpoint.Config.Invalid', /publicUrl/),
  );
});
