import type { Json } from '../agent/json';
import { toolCallsOf, type Message } from '../agent/message';
import type { ArgumentsRef, RunRef, TailItem, TranscriptRef } from '../agent/wire';
import { extendPrefix, messageDigest, textDigest } from './digest';
import { NO_MESSAGES, type Prefix, type TranscriptCache } from './transcript-cache';
import { unreadable, type ReadPage } from './transcript-pages';

export interface ResolvedTranscript extends Prefix {
  readonly messages: readonly Message[];
}

/**
 * Gives what a run's references stand for: from this worker's cache, otherwise from the run itself, page by
 * page. Whatever is read is checked by its digest, so a reference stands for one content or fails.
 */
export class TranscriptSource {
  constructor(
    private readonly cache: TranscriptCache,
    private readonly readPage: ReadPage,
    private readonly workflowId: string,
  ) {}

  /** The whole transcript of a reference, with its own name. */
  async transcript(ref: TranscriptRef): Promise<ResolvedTranscript> {
    const resolved = this.cached(ref) ?? (await this.assembled(ref));
    const { digest, length } = resolved;
    this.cache.putHint(this.workflowId, { digest, length });
    return resolved;
  }

  /** A call's raw arguments. */
  async arguments(ref: ArgumentsRef): Promise<string> {
    if ('text' in ref) return ref.text;
    const { at, digest, index } = ref;
    const known = digest === undefined ? undefined : this.cache.message(digest);
    const message = known ?? (await this.readOne(at, new Map()));
    if (digest !== undefined && this.cache.putMessage(message) !== digest) throw changed();
    const call = toolCallsOf(message)[index];
    if (!call) throw unreadable(`message ${at} has no call ${index}`);
    return call.function.arguments;
  }

  /** The system prompt of this digest. */
  async system(digest: string): Promise<string> {
    const known = this.cache.value(`system:${digest}`);
    if (typeof known === 'string') return known;
    const { system = '' } = await this.readPage({ from: -1 });
    if (this.putSystem(system) !== digest) throw changed();
    return system;
  }

  /** Keeps a system prompt and gives its digest. */
  putSystem(text: string): string {
    const digest = textDigest(text);
    this.cache.putValue(`system:${digest}`, text);
    return digest;
  }

  /** The JSON value given to `start`, `run` or `ask`: it stays the same for the whole run. */
  async context({ context, seed }: RunRef): Promise<Json | undefined> {
    if (!('q' in context)) return context.value;
    const known = this.cache.value(`context:${seed}`);
    if (known !== undefined) return known;
    const { context: value } = await this.readPage({ from: -1 });
    if (value !== undefined) this.cache.putValue(`context:${seed}`, value);
    return value;
  }

  /** Without asking anybody, where the digests of all messages are known and all of them are here. */
  private cached({ base = NO_MESSAGES, tail }: TranscriptRef): ResolvedTranscript | undefined {
    const digests: string[] = [];
    for (const item of tail) {
      if ('q' in item) return undefined;
      digests.push('d' in item ? item.d : this.cache.putMessage(item.m));
    }
    const known = this.cache.transcript(base);
    if (!known) return undefined;
    const rest = digests.map((digest) => this.cache.message(digest));
    if (!rest.every((message) => message !== undefined)) return undefined;
    return { messages: [...known, ...rest], ...this.cache.putTranscript(base, rest) };
  }

  private async assembled({ base = NO_MESSAGES, tail }: TranscriptRef): Promise<ResolvedTranscript> {
    const pages = new Map<number, Message>();
    const before = await this.prefix(base, pages);
    const rest: Message[] = [];
    for (const [offset, item] of tail.entries()) {
      const at = base.length + offset;
      const message = 'm' in item ? item.m : (this.known(item) ?? (await this.readOne(at, pages)));
      if ('d' in item && messageDigest(message) !== item.d) throw changed();
      rest.push(message);
    }
    return { messages: [...before, ...rest], ...this.cache.putTranscript(base, rest) };
  }

  /**
   * The messages that the last model call saw. Another worker may have made that call; what this one saw of
   * the same transcript earlier is then its beginning, which the digest proves.
   */
  private async prefix(base: Prefix, pages: Map<number, Message>): Promise<readonly Message[]> {
    const known = this.cache.transcript(base);
    if (known) return known;
    const hint = this.cache.hint(this.workflowId);
    const seen = hint && hint.length < base.length ? this.cache.transcript(hint) : undefined;
    if (hint && seen) {
      const rest = await this.readRange(hint.length, base.length, pages);
      if (this.cache.putTranscript(hint, rest).digest === base.digest) return [...seen, ...rest];
    }
    const all = await this.readRange(0, base.length, pages);
    const digest = extendPrefix(NO_MESSAGES.digest, all.map(messageDigest));
    if (digest !== base.digest) throw changed();
    this.cache.putTranscript(NO_MESSAGES, all);
    return all;
  }

  private known(item: TailItem): Message | undefined {
    return 'd' in item ? this.cache.message(item.d) : undefined;
  }

  private async readOne(at: number, pages: Map<number, Message>): Promise<Message> {
    const [message] = await this.readRange(at, at + 1, pages);
    if (!message) throw unreadable(`message ${at} is not there`);
    return message;
  }

  private async readRange(from: number, to: number, pages: Map<number, Message>): Promise<Message[]> {
    const messages: Message[] = [];
    for (let at = from; at < to; at += 1) {
      if (!pages.has(at)) await this.readInto(at, pages);
      const message = pages.get(at);
      if (!message) throw unreadable(`message ${at} is not there`);
      messages.push(message);
    }
    return messages;
  }

  /** A page may hold more than was needed of it: the rest is often what is needed next. */
  private async readInto(from: number, pages: Map<number, Message>): Promise<void> {
    const page = await this.readPage({ from });
    for (const [offset, message] of page.messages.entries()) pages.set(page.from + offset, message);
  }
}

/** The digest of what was read is another than the run named. */
function changed(): Error {
  return unreadable('what it holds is not what the run refers to');
}
