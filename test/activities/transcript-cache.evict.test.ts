import { NO_MESSAGES, TranscriptCache } from '../../src/activities/transcript-cache';
import type { Message } from '../../src/agent/message';

const large = (name: string): Message => ({ role: 'user', content: name.repeat(1_000) });

describe('eviction', () => {
  it('never holds more than it may', () => {
    const cache = new TranscriptCache(10_000);
    for (let n = 0; n < 100; n += 1) {
      cache.putTranscript(NO_MESSAGES, [large(String(n))]);
      expect(cache.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(cache.bytes).toBeGreaterThan(5_000);
  });

  it('gives up first what was not used for longest', () => {
    const cache = new TranscriptCache(10_000);
    const kept = cache.putTranscript(NO_MESSAGES, [large('a')]);
    const unused = cache.putTranscript(NO_MESSAGES, [large('b')]);
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
      cache.putTranscript(NO_MESSAGES, [large(name)]);
      expect(cache.transcript(kept)).toEqual([large('a')]);
    }
    expect(cache.transcript(unused)).toBeUndefined();
  });

  it('does not keep what is larger than all it may hold, and says so by a miss', () => {
    const cache = new TranscriptCache(2_000);
    const digest = cache.putMessage({ role: 'user', content: 'x'.repeat(3_000) });
    expect(cache.message(digest)).toBeUndefined();
  });

  it('counts a message once, however many transcripts it is in', () => {
    const cache = new TranscriptCache();
    const message = large('x');
    const base = cache.putTranscript(NO_MESSAGES, [message]);
    const before = cache.bytes;
    cache.putTranscript(base, [message]);
    cache.putTranscript(NO_MESSAGES, [message]);
    expect(cache.bytes - before).toBeLessThan(1_000);
  });
});
