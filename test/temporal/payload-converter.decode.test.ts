import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { isUndecodable } from '../../src/agent/undecodable';
import { payloadConverter } from '../../src/temporal/payload-converter';

const workflow: SerializationContext = { type: 'workflow', namespace: 'default', workflowId: 'w' };
const activity: SerializationContext = { type: 'activity', namespace: 'default', isLocal: false };

const payload = (encoding: string, data?: string): Payload => ({
  metadata: { encoding: encode(encoding) },
  ...(data !== undefined && { data: encode(data) }),
});

const broken: Readonly<Record<string, Payload>> = {
  'an unknown encoding': payload('binary/bogus', 'abc'),
  'broken JSON': payload('json/plain', '{"secret": 1,,'),
  'JSON without data': payload('json/plain'),
  'no metadata': { data: encode('abc') },
  'no encoding': { metadata: {}, data: encode('abc') },
  'an encrypted payload without its codec': payload('binary/encrypted', 'abc'),
  'JSON that nests too deep': payload('json/plain', '['.repeat(501) + ']'.repeat(501)),
};

describe('a message to a workflow', () => {
  it.each(Object.keys(broken))('R30: with %s becomes a marked object and does not throw', (name) => {
    const value: unknown = payloadConverter.fromPayload(broken[name] ?? {}, workflow);
    expect(isUndecodable(value)).toBe(true);
  });

  it('R11: that cannot be decoded leaves nothing of what it held in the mark', () => {
    const value: unknown = payloadConverter.fromPayload(payload('json/plain', '{"secret": 1,,'), workflow);
    expect(JSON.stringify(value)).not.toContain('secret');
    expect(value).toEqual({
      __holdpointUndecodable: true,
      encoding: 'json/plain',
      reason: 'Its data is not json/plain.',
    });
  });

  it('R12: comes through as it was sent, falsy values too', () => {
    for (const value of [0, false, '', null, [], {}, { a: '[[[['.repeat(500), b: '\\"[' }]) {
      const sent = payloadConverter.toPayload(value, workflow);
      expect(sent).toEqual(defaultPayloadConverter.toPayload(value));
      expect(payloadConverter.fromPayload(sent, workflow)).toEqual(value);
    }
    expect(payloadConverter.fromPayload(payloadConverter.toPayload(undefined), workflow)).toBeUndefined();
  });

  it('may nest 500 levels deep', () => {
    const deep = payload('json/plain', '['.repeat(500) + ']'.repeat(500));
    expect(isUndecodable(payloadConverter.fromPayload(deep, workflow))).toBe(false);
  });
});

describe('a result of an activity', () => {
  it.each(Object.keys(broken).filter((name) => !name.includes('nests')))(
    'with %s throws: it is never marked, so a marked one never passes for real',
    (name) => {
      expect(() => payloadConverter.fromPayload(broken[name] ?? {}, activity)).toThrow();
    },
  );
});
