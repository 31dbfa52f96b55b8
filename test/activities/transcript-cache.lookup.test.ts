import fc from 'fast-check';
import { messageDigest } from '../../src/activities/digest';
import { NO_MESSAGES, TranscriptCache, type Prefix } from '../../src/activities/transcript-cache';
import { toolMessage, type Message } from '../../src/agent/message';

const user = (content: string): Message => ({ role: 'user', content });

describe('a transcript lookup', () => {
  it('gives the messages of the transcript that was named, in order', () => {
    const cache = new TranscriptCache();
    const first = cache.putTranscript(NO_MESSAGES, [user('a'), toolMessage('c', 'b')]);
    const second = cache.putTranscript(first, [user('c')]);
    expect(cache.transcript(second)).toEqual([user('a'), toolMessage('c', 'b'), user('c')]);
    expect(second.length).toBe(3);
  });

  it('gives an older turn of a transcript that has grown since', () => {
    const cache = new TranscriptCache();
    const older = cache.putTranscript(NO_MESSAGES, [user('a')]);
    cache.putTranscript(older, [user('b'), user('c')]);
    expect(cache.transcript(older)).toEqual([user('a')]);
  });

  it('keeps forks of one transcript apart', () => {
    const cache = new TranscriptCache();
    const common = cache.putTranscript(NO_MESSAGES, [user('a')]);
    const left = cache.putTranscript(common, [user('left')]);
    const right = cache.putTranscript(common, [user('right')]);
    expect(cache.transcript(left)).toEqual([user('a'), user('left')]);
    expect(cache.transcript(right)).toEqual([user('a'), user('right')]);
  });

  it('is a miss when the length does not go with the digest, never a guess', () => {
    const cache = new TranscriptCache();
    const { digest } = cache.putTranscript(NO_MESSAGES, [user('a'), user('b')]);
    for (const length of [0, 1, 3]) expect(cache.transcript({ digest, length })).toBeUndefined();
  });

  it('is a miss on another worker, which shares nothing', () => {
    const here = new TranscriptCache().putTranscript(NO_MESSAGES, [user('a')]);
    expect(new TranscriptCache().transcript(here)).toBeUndefined();
  });

  it('tells apart the same messages in another order', () => {
    const cache = new TranscriptCache();
    const one = cache.putTranscript(NO_MESSAGES, [user('a'), user('b')]);
    const other = cache.putTranscript(NO_MESSAGES, [user('b'), user('a')]);
    expect(one.digest).not.toBe(other.digest);
  });

  it('gives exactly what was put or nothing, whatever was evicted between', () => {
    const script = fc.array(
      fc.record({ from: fc.nat(), add: fc.array(fc.string({ maxLength: 40 }), { maxLength: 4 }) }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(script, fc.integer({ min: 1_000, max: 20_000 }), (steps, maxBytes) => {
        const cache = new TranscriptCache(maxBytes);
        const known: { prefix: Prefix; messages: Message[] }[] = [{ prefix: NO_MESSAGES, messages: [] }];
        for (const { from, add } of steps) {
          const base = known[from % known.length];
          if (!base) continue;
          const messages = add.map(user);
          const prefix = cache.putTranscript(base.prefix, messages);
          known.push({ prefix, messages: [...base.messages, ...messages] });
          expect(cache.bytes).toBeLessThanOrEqual(maxBytes);
        }
        for (const { prefix, messages } of known) {
          const found = cache.transcript(prefix);
          if (found) expect(found).toEqual(messages);
        }
      }),
    );
  });
});

describe('a message', () => {
  it('has one digest whatever the order of its keys', () => {
    const message = toolMessage('c', 'text');
    expect(messageDigest({ content: 'text', tool_call_id: 'c', role: 'tool' })).toBe(messageDigest(message));
  });

  it('is found by its digest and cannot be changed by whoever gets it', () => {
    const cache = new TranscriptCache();
    const digest = cache.putMessage({ role: 'user', content: [{ type: 'text', text: 'a' }] });
    const found: unknown = cache.message(digest);
    const { content } = found as { readonly content: { text: string }[] };
    expect(() => {
      const [part] = content;
      if (part) part.text = 'b';
    }).toThrow(TypeError);
    expect(cache.message('0'.repeat(64))).toBeUndefined();
  });
});
