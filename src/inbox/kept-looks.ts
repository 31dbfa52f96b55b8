import { SharedLooks } from '../client/shared-looks';

/** Least and most milliseconds that a look is kept. */
const LEAST_MS = 1_500;
const MOST_MS = 30_000;
/** A look that took long is kept longer, so that pages which read on take a bounded part of the server's time. */
const TIMES_ITS_LENGTH = 3;

/**
 * What pages that are open read again and again. However many they are, the engine is asked once at a time about each
 * thing, and what it said is kept for a moment. Nothing is asked or kept for pages that are closed.
 */
export class KeptLooks<T> {
  private readonly looks = new SharedLooks<T>();
  private readonly kept = new Map<string, { readonly look: Promise<T>; until: number }>();

  /** For a page that reads on: what was seen a moment ago will do, or what is being looked at already. */
  recent(key: string, take: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key);
    return known && Date.now() < known.until ? known.look : this.latest(key, take);
  }

  /** For somebody who asks just now: a look that begins after they did. */
  latest(key: string, take: () => Promise<T>): Promise<T> {
    let began = Date.now();
    const look = this.looks.look(key, () => {
      began = Date.now();
      return take();
    });
    // Those who stand in line for one look have the same promise.
    if (this.kept.get(key)?.look !== look) this.keep(key, look, () => Date.now() - began);
    return look;
  }

  private keep(key: string, look: Promise<T>, took: () => number): void {
    const entry = { look, until: Number.POSITIVE_INFINITY };
    this.kept.set(key, entry);
    const forget = (): void => {
      if (this.kept.get(key) === entry) this.kept.delete(key);
    };
    look.then(() => {
      const ms = Math.min(MOST_MS, Math.max(LEAST_MS, took() * TIMES_ITS_LENGTH));
      entry.until = Date.now() + ms;
      setTimeout(forget, ms).unref();
      // A failure is for those who wait for it now, not for the next ones.
    }, forget);
  }
}
