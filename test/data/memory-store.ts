import type { PayloadStore } from '../../src/worker';

/** A store in this process, for payloads over 64 kB, that may be away. */
export class MemoryStore implements PayloadStore {
  readonly thresholdBytes = 65_536;
  readonly objects = new Map<string, Uint8Array>();
  /** So many of the next puts fail. */
  failing = 0;
  away = false;

  put(key: string, data: Uint8Array): Promise<void> {
    if (this.away || this.failing-- > 0) return Promise.reject(new Error('The store is away'));
    this.objects.set(key, data);
    return Promise.resolve();
  }

  get(key: string): Promise<Uint8Array> {
    const found = this.away ? undefined : this.objects.get(key);
    return found ? Promise.resolve(found) : Promise.reject(new Error('The store has no such object'));
  }
}
