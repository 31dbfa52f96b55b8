import fc from 'fast-check';
import { declares, missingCapabilities, offerTo } from '../../src/mcp/capabilities';
import { correlationFrom, idempotencyKeyFrom } from '../../src/mcp/meta-keys';

const OURS = 'dev.holdpoint/idempotency-key';
const ALIAS = 'io.github.gleam-dream/idempotency-key';

test.each([OURS, ALIAS])('a key is read from %s', (name) => {
  expect(idempotencyKeyFrom({ [name]: 'k-1' })).toEqual({ ok: true, key: 'k-1' });
});

test('without a key there is none', () => {
  for (const meta of [undefined, null, {}, [], { other: 'k' }])
    expect(idempotencyKeyFrom(meta)).toEqual({ ok: true, key: undefined });
});

test.each([[''], ['x'.repeat(129)], ['a b'], ['é'], ['a\n'], [1], [null], [{}]])(
  'a key %j is refused, not dropped',
  (key) => {
    expect(idempotencyKeyFrom({ [OURS]: key })).toMatchObject({
      ok: false,
      problem: expect.stringContaining(OURS) as string,
    });
    expect(idempotencyKeyFrom({ [ALIAS]: key })).toMatchObject({ ok: false });
  },
);

test('two names with two keys are refused, with one key they are one', () => {
  expect(idempotencyKeyFrom({ [OURS]: 'a', [ALIAS]: 'b' })).toMatchObject({ ok: false });
  expect(idempotencyKeyFrom({ [OURS]: 'a', [ALIAS]: 'a' })).toEqual({ ok: true, key: 'a' });
});

test('exactly the keys of 1 to 128 visible bytes are taken', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 140 }), (key) => {
      const fits = key.length >= 1 && key.length <= 128 && [...key].every((c) => c >= '!' && c <= '~');
      expect(idempotencyKeyFrom({ [OURS]: key }).ok).toBe(fits);
    }),
  );
});

test('correlation comes from the transport, then the header, then the meta, and invalid ones are passed over', () => {
  const meta = { 'dev.holdpoint/correlation': 'm' };
  expect(correlationFrom('t', 'h', meta)).toBe('t');
  expect(correlationFrom(undefined, 'h', meta)).toBe('h');
  expect(correlationFrom('', 'a b', meta)).toBe('m');
  expect(correlationFrom(undefined, undefined, { 'dev.holdpoint/correlation': 7 })).toBeUndefined();
});

test.each([true, [], null, 'yes', 1, undefined])('a capability of %j is not declared', (value) => {
  expect(declares({ elicitation: value }, 'elicitation')).toBe(false);
  expect(missingCapabilities(['elicitation', 'roots'], { elicitation: value, roots: {} })).toEqual({
    elicitation: {},
  });
});

test('an inherited name is no capability', () => {
  expect(declares({}, 'constructor')).toBe(false);
});

test('requests that the client cannot answer are left out; with none left it is told what it lacks', () => {
  const requests = {
    a: { method: 'elicitation', params: {} },
    b: { method: 'roots', params: {} },
  } as const;
  expect(offerTo(requests, { elicitation: {} })).toEqual({ ok: true, requests: { a: requests.a } });
  expect(offerTo(requests, { sampling: {} })).toEqual({
    ok: false,
    requiredCapabilities: { elicitation: {}, roots: {} },
  });
});

test.each([
  ['url', { elicitation: { url: {} } }, true],
  ['url', { elicitation: { form: {} } }, false],
  ['url', { elicitation: {} }, false],
  ['form', { elicitation: {} }, true],
  ['form', { elicitation: { url: {} } }, false],
  [undefined, { elicitation: { form: {}, url: {} } }, true],
  ['voice', { elicitation: { form: {}, url: {}, voice: {} } }, false],
])('a client asked in mode %s with %j is asked: %s', (mode, capabilities, asked) => {
  const params = { url: 'https://example.com', ...(mode !== undefined && { mode }) };
  const requests = { a: { method: 'elicitation', params } } as const;
  expect(offerTo(requests, capabilities).ok).toBe(asked);
});

test('a client that cannot be sent elsewhere is told so', () => {
  const requests = { a: { method: 'elicitation', params: { mode: 'url' } } } as const;
  expect(offerTo(requests, { elicitation: {} })).toEqual({
    ok: false,
    requiredCapabilities: { elicitation: { url: {} } },
  });
});
