import { messageDigest, textDigest } from '../../src/activities/digest';
import { NO_MESSAGES, TranscriptCache } from '../../src/activities/transcript-cache';
import type { ReadPage } from '../../src/activities/transcript-pages';
import { TranscriptSource } from '../../src/activities/transcript-source';
import type { Message } from '../../src/agent/message';
import type { RunRef, TranscriptRef } from '../../src/agent/wire';
import { holdpointError } from '../support/matchers';

const message = (n: number): Message => ({ role: 'user', content: `message ${n}` });
const transcript = Array.from({ length: 10 }, (_, n) => message(n));
const prefix = (length: number) =>
  new TranscriptCache().putTranscript(NO_MESSAGES, transcript.slice(0, length));

/** A run that gives its messages in pages of `size` and records where pages were asked for. */
function pagesOf(messages: readonly Message[], size = 4) {
  const asked: number[] = [];
  const read: ReadPage = async ({ from }) => {
    asked.push(from);
    if (from === -1)
      return { from, messages: [], length: messages.length, system: 'Be kind.', context: { vip: true } };
    return { from, messages: messages.slice(from, from + size), length: messages.length };
  };
  return { asked, read };
}

function sourceOf(messages: readonly Message[], cache = new TranscriptCache()) {
  const { asked, read } = pagesOf(messages);
  return { asked, cache, source: new TranscriptSource(cache, read, 'run-1') };
}

describe('resolving a transcript', () => {
  it('takes a run that begins from its reference alone', async () => {
    const { source, asked } = sourceOf(transcript);
    const resolved = await source.transcript({ tail: [{ m: message(0) }, { m: message(1) }] });
    expect(resolved).toEqual({ messages: transcript.slice(0, 2), ...prefix(2) });
    expect(asked).toEqual([]);
  });

  it('asks nobody for what this worker has seen', async () => {
    const { source, asked, cache } = sourceOf(transcript);
    const base = cache.putTranscript(NO_MESSAGES, transcript.slice(0, 6));
    const d = cache.putMessage(message(6));
    const resolved = await source.transcript({ base, tail: [{ d }, { m: message(7) }] });
    expect(resolved.messages).toEqual(transcript.slice(0, 8));
    expect(asked).toEqual([]);
  });

  it('reads from the run, page by page, what another worker made', async () => {
    const { source, asked } = sourceOf(transcript);
    const tail: TranscriptRef['tail'] = [{ d: messageDigest(message(8)) }, { q: 1 }];
    const resolved = await source.transcript({ base: prefix(8), tail });
    expect(resolved).toEqual({ messages: transcript, ...prefix(10) });
    expect(asked).toEqual([0, 4, 8]);
  });

  it('reads only what is new since it last saw the run', async () => {
    const { source, asked } = sourceOf(transcript);
    await source.transcript({ tail: transcript.slice(0, 6).map((m) => ({ m })) });
    const resolved = await source.transcript({ base: prefix(9), tail: [{ m: message(9) }] });
    expect(resolved.messages).toEqual(transcript);
    expect(asked).toEqual([6]);
  });

  it('reads all of it where what it saw earlier is not how the transcript begins', async () => {
    const { source, asked } = sourceOf(transcript);
    await source.transcript({ tail: [{ m: message(99) }, { m: message(98) }] });
    const resolved = await source.transcript({ base: prefix(5), tail: [] });
    expect(resolved.messages).toEqual(transcript.slice(0, 5));
    expect(asked).toEqual([2, 0]);
  });

  it('refuses a transcript that is not the one named, never a guess', async () => {
    const { source } = sourceOf(transcript.toReversed());
    await expect(source.transcript({ base: prefix(5), tail: [] })).rejects.toEqual(
      holdpointError('Holdpoint.Transcript.Unreadable', /not what the run refers to/),
    );
  });

  it('refuses a tail message whose digest is another', async () => {
    const { source } = sourceOf(transcript);
    const tail = [{ d: messageDigest(message(5)) }];
    await expect(source.transcript({ tail })).rejects.toEqual(
      holdpointError('Holdpoint.Transcript.Unreadable'),
    );
  });

  it('refuses a run that has fewer messages than it says', async () => {
    const { source } = sourceOf(transcript.slice(0, 3));
    await expect(source.transcript({ base: prefix(5), tail: [] })).rejects.toEqual(
      holdpointError('Holdpoint.Transcript.Unreadable', /message 3 is not there/),
    );
  });
});

describe('resolving what goes with a transcript', () => {
  const run: RunRef = { runId: 'run-1', agent: 'a', seed: 's', turn: 1, context: { q: 1 } };

  it('reads a large context once and keeps it', async () => {
    const { source, asked } = sourceOf(transcript);
    expect(await source.context(run)).toEqual({ vip: true });
    expect(await source.context(run)).toEqual({ vip: true });
    expect(await source.context({ ...run, context: { value: 0 } })).toBe(0);
    expect(asked).toEqual([-1]);
  });

  it('reads the system prompt by its digest, and refuses another one', async () => {
    const { source, asked } = sourceOf(transcript);
    expect(await source.system(textDigest('Be kind.'))).toBe('Be kind.');
    expect(await source.system(textDigest('Be kind.'))).toBe('Be kind.');
    expect(asked).toEqual([-1]);
    await expect(source.system(textDigest('Be rude.'))).rejects.toEqual(
      holdpointError('Holdpoint.Transcript.Unreadable'),
    );
  });

  it('R18: reads large arguments from the assistant message, byte for byte', async () => {
    const raw = '{ "a" :1,"a":2 }';
    const assistant: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 't', arguments: '{}' } },
        { id: 'y', type: 'function', function: { name: 't', arguments: raw } },
      ],
    };
    const { source, asked } = sourceOf([message(0), assistant]);
    const digest = messageDigest(assistant);
    expect(await source.arguments({ at: 1, digest, index: 1 })).toBe(raw);
    expect(await source.arguments({ at: 1, digest, index: 1 })).toBe(raw);
    expect(asked).toEqual([1]);
    expect(await source.arguments({ text: 'as it is' })).toBe('as it is');
    await expect(source.arguments({ at: 0, digest: messageDigest(message(3)), index: 1 })).rejects.toEqual(
      holdpointError('Holdpoint.Transcript.Unreadable'),
    );
  });
});
