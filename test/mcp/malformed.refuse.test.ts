import { createSecretKey, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { isRecord } from '../../src/agent/json';
import { handleCall } from '../../src/mcp/bound-tool';
import type { Call } from '../../src/mcp/call';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { form } from './asking-tool';
import { ENVELOPE, rawRequest, readReply, type RawRequest } from './raw-request';

const calls: { readonly call: Call; readonly input: object }[] = [];
beforeEach(() => {
  calls.length = 0;
});
const key = { id: 'a', secret: new Uint8Array(32).fill(9), verifyOnly: false };
const told: unknown[] = [];
const serving = createMcpServer({
  name: 'test',
  version: '1',
  stateKeys: () => [key],
  onError: (error) => told.push(error),
  tools: [
    handleCall(define('act', z.looseObject({}), z.unknown()), (call, input) => {
      calls.push({ call, input });
      return ok(
        'ask' in input && !call.inputResponses['seat'] ? requestInput({ seat: form }) : complete('ran'),
      );
    }),
  ],
});
const params = { name: 'act', arguments: {} };
const ours = 'dev.holdpoint/idempotency-key';
const alias = 'io.github.gleam-dream/idempotency-key';
const named = (name: string): string => `io.modelcontextprotocol/${name}`;
const withMeta = (entries: object): RawRequest => ({ params, meta: { ...ENVELOPE, ...entries } });

/** The error's code, or 0 where the handler ran. */
async function outcomeOf(request: Request): Promise<{ code: unknown; text: string; status: number }> {
  const { status, message } = await readReply(await serving.fetch(request));
  const error = isRecord(message) && isRecord(message['error']) ? message['error'] : undefined;
  return { code: error?.['code'] ?? 0, text: JSON.stringify(message), status };
}

test.each<[string, RawRequest, number]>([
  ['a `_meta` that is a text', { params, meta: 'x' }, -32600],
  ['a `_meta` that is a list', { params, meta: [] }, -32600],
  ['a `_meta` that is null', { params, meta: null }, -32600],
  ['no `_meta`', { params, meta: undefined }, -32602],
  ...[{}, null, 1.5, true].map((progressToken): [string, RawRequest, number] => [
    `the progress token ${JSON.stringify(progressToken)}`,
    withMeta({ progressToken }),
    -32600,
  ]),
  ...['', 'x'.repeat(129), 'a b', 'é', 'a\u007f', 7, null, [], {}].flatMap(
    (value): [string, RawRequest, number][] =>
      [ours, alias].map((name) => [
        `the key ${JSON.stringify(value).slice(0, 12)} as ${name}`,
        withMeta({ [name]: value }),
        -32602,
      ]),
  ),
  ['two names with two keys', withMeta({ [ours]: 'a', [alias]: 'b' }), -32602],
  ['a client that is a text', withMeta({ [named('clientInfo')]: 'me' }), -32602],
  ['a client without a version', withMeta({ [named('clientInfo')]: { name: 'me' } }), -32602],
  ...[[], null, true, 'all'].map((value): [string, RawRequest, number] => [
    `the capabilities ${JSON.stringify(value)}`,
    withMeta({ [named('clientCapabilities')]: value }),
    -32602,
  ]),
  ...[[], null, true].map((elicitation): [string, RawRequest, number] => [
    `the capability ${JSON.stringify(elicitation)}`,
    withMeta({ [named('clientCapabilities')]: { elicitation } }),
    -32602,
  ]),
  ['no revision', { params, meta: { [named('clientCapabilities')]: {} } }, -32602],
  ['a revision that is a number', withMeta({ [named('protocolVersion')]: 7 }), -32602],
  [
    'a revision that is none',
    {
      ...withMeta({ [named('protocolVersion')]: '2099-01-01' }),
      headers: { 'mcp-protocol-version': '2099-01-01' },
    },
    -32022,
  ],
  ['a header of another tool', { params, headers: { 'mcp-name': 'other' } }, -32020],
  ...['other', '', 'x'.repeat(129), 'cafe\u0301', '__proto__', 'toString'].map(
    (name): [string, RawRequest, number] => [
      `the tool ${JSON.stringify(name).slice(0, 12)}`,
      { params: { name, arguments: {} } },
      -32602,
    ],
  ),
  ['a tool that is a number', { params: { name: 7, arguments: {} }, headers: { 'mcp-name': '7' } }, -32602],
  ['no tool', { params: { arguments: {} } }, -32602],
  ...[[], 'x', null, 7].map((args): [string, RawRequest, number] => [
    `the arguments ${JSON.stringify(args)}`,
    { params: { name: 'act', arguments: args } },
    -32602,
  ]),
  ...['', 'x', '\u0000é', 'a.b.c', 'x'.repeat(1_000_000), 7, null, {}].map(
    (requestState): [string, RawRequest, number] => [
      `the state ${JSON.stringify(requestState).slice(0, 12)}`,
      { params: { ...params, requestState } },
      -32602,
    ],
  ),
])('%s is refused, and the handler does not run', async (_what, request, code) => {
  const outcome = await outcomeOf(rawRequest(request));
  expect(outcome).toMatchObject({ code });
  expect(outcome.text.length).toBeLessThan(1_000);
  expect(calls).toEqual([]);
});

test.each<[string, object, Record<string, string>?]>([
  ['a correlation', { 'dev.holdpoint/correlation': 'a b' }],
  ['a correlation that is a number', { 'dev.holdpoint/correlation': 7 }],
  ['a header of correlation', {}, { 'x-correlation-id': 'a b' }],
])('%s that is invalid is passed over, and there is a fresh one', async (_what, entries, headers = {}) => {
  expect(await outcomeOf(rawRequest({ ...withMeta(entries), headers }))).toMatchObject({ code: 0 });
  expect(calls[0]?.call.correlation).toMatch(/^[0-9a-f-]{36}$/);
});

test('what cannot be seen in the name of a tool is told, and a long one is cut', async () => {
  const { text } = await outcomeOf(rawRequest({ params: { name: 'a\u202eb', arguments: {} } }));
  expect(text).not.toContain('\u202e');
  const long = await outcomeOf(rawRequest({ params: { name: 'x'.repeat(100_000), arguments: {} } }));
  expect(long.text.length).toBeLessThan(1_000);
});

/** A request whose body holds a text in the place of `"SLOT"`. */
async function slotted(request: RawRequest, text: string): Promise<Request> {
  const made = rawRequest(request);
  const body = (await made.text()).replace('"SLOT"', text);
  return new Request(made.url, { method: 'POST', headers: made.headers, body });
}
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each([
  ['arguments', { name: 'act', arguments: { a: 'SLOT' } }, {}],
  ['arguments with a key', { name: 'act', arguments: { a: 'SLOT' } }, { [ours]: 'k' }],
  ['responses', { ...params, inputResponses: { seat: { a: 'SLOT' } } }, {}],
])(
  '%s that are nested too deep are an error of the call, and the handler does not run',
  async (_what, sent, entries) => {
    for (const levels of [250, 100_000]) {
      const meta = { ...ENVELOPE, ...entries };
      const { code, text } = await outcomeOf(await slotted({ params: sent, meta }, nested(levels)));
      expect(code).toBe(0);
      expect(text).toMatch(/"isError":true/);
      expect(text).toMatch(/nested deeper than 200 levels/);
    }
    expect(calls).toEqual([]);
  },
);

test('arguments of 150 levels are arguments', async () => {
  const deep = await slotted({ params: { name: 'act', arguments: { a: 'SLOT' } } }, nested(150));
  expect(await outcomeOf(deep)).toMatchObject({ code: 0 });
  expect(calls).toHaveLength(1);
});

test('arguments of 10 MB are refused with 413', async () => {
  const large = rawRequest({ params: { name: 'act', arguments: { a: 'x'.repeat(10 * 1024 * 1024) } } });
  expect(await outcomeOf(large)).toMatchObject({ status: 413, code: -32000 });
  expect(calls).toEqual([]);
});

test('arguments called `__proto__` change no object', async () => {
  const evil = await slotted(
    { params: { name: 'act', arguments: 'SLOT' } },
    '{"__proto__":{"polluted":1},"b":2}',
  );
  expect(await outcomeOf(evil)).toMatchObject({ code: 0 });
  const input = calls[0]?.input ?? {};
  expect('polluted' in input).toBe(false);
  expect('polluted' in {}).toBe(false);
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
});

const asks = { name: 'act', arguments: { ask: true } };
const asking = { ...ENVELOPE, [named('clientCapabilities')]: { elicitation: {} } };
const inputResponses = { seat: { action: 'accept', content: { seat: '4a' } } };

async function stateOf(): Promise<string> {
  const { message } = await readReply(await serving.fetch(rawRequest({ params: asks, meta: asking })));
  const result = isRecord(message) && isRecord(message['result']) ? message['result'] : {};
  if (typeof result['requestState'] !== 'string') throw new Error(JSON.stringify(message));
  return result['requestState'];
}

const part = (state: string, at: number): string => state.split('.')[at] ?? '';
const claimsOf = (state: string): object =>
  JSON.parse(Buffer.from(part(state, 1), 'base64url').toString()) as object;
const signed = (claims: object, secret: Uint8Array, header: object = {}): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', kid: 'a', ...header })
    .sign(createSecretKey(secret));
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each<[string, (state: string) => string | Promise<string>]>([
  ['cut', (state) => state.slice(0, state.length / 2)],
  ['without its signature', (state) => `${part(state, 0)}.${part(state, 1)}.`],
  ['not signed', (state) => `${base64({ alg: 'none' })}.${part(state, 1)}.`],
  [
    'of other claims',
    (state) => [part(state, 0), base64({ ...claimsOf(state), round: 0 }), part(state, 2)].join('.'),
  ],
  ['signed with another key of the same name', (state) => signed(claimsOf(state), randomBytes(32))],
  ['signed with a key that nobody knows', (state) => signed(claimsOf(state), key.secret, { kid: 'b' })],
  ['of another purpose', (state) => signed({ ...claimsOf(state), aud: 'holdpoint:answer' }, key.secret)],
  ['past its time', (state) => signed({ ...claimsOf(state), exp: 1 }, key.secret)],
  ['of a run', (state) => signed({ ...claimsOf(state), run: 'r-1' }, key.secret)],
  ['of no round', (state) => signed({ ...claimsOf(state), round: 'x' }, key.secret)],
  ['of another call', (state) => signed({ ...claimsOf(state), call: 'x' }, key.secret)],
])('a state that is %s is refused, and nobody is told why', async (_how, change) => {
  const state = await stateOf();
  calls.length = 0;
  const changed = rawRequest({
    params: { ...asks, inputResponses, requestState: await change(state) },
    meta: asking,
  });
  const outcome = await outcomeOf(changed);
  expect(outcome).toMatchObject({ code: -32602 });
  expect(outcome.text).toContain('Invalid or expired requestState.');
  expect(calls).toEqual([]);
  const unchanged = rawRequest({ params: { ...asks, inputResponses, requestState: state }, meta: asking });
  expect((await outcomeOf(unchanged)).text).toContain('"structuredContent":"ran"');
});
