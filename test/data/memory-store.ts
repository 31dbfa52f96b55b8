import type { PayloadStore } from '../../src/worker';

/** A store in this process, for payloads over 64 kB, that may be away. */
export class MemoryStore implements PayloadStore {
  thresholdBytes = 65_536;
  readonly secret: string | readonly string[] = 'the secret of a store that only tests have';
  readonly objects = new Map<string, Uint8Array>();
  /** So many of the next puts fail. */
  failing = 0;
  away = false;
  /** Called before each look; a rejection is the look's. */
  onGet: (key: string) => Promise<void> = () => Promise.resolve();

  put(key: string, data: Uint8Array): Promise<void> {
    if (this.away || this.failing-- > 0) return Promise.reject(new Error('The store is away'));
    this.objects.set(key, data);
    return Promise.resolve();
  }

  async get(key: string): Promise<Uint8Array> {
    await this.onGet(key);
    const found = this.away ? undefined : this.objects.get(key);
    if (!found) throw new Error('The store has no such object');
    return found;
  }
}
