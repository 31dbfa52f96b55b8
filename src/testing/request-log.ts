import type { IncomingHttpHeaders } from 'node:http';
import { HoldpointError } from '../agent/errors';
import type { Message, SystemMessage } from '../agent/message';

/** A request that the scripted model got. */
export interface RecordedRequest {
  /** The parsed JSON body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The messages of the body, the system prompt first where there is one. */
  readonly messages: readonly (SystemMessage | Message)[];
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly at: Date;
  /** Resolves when the client closes the connection before it is answered: an abort or a timeout on its side. */
  readonly clientGone: Promise<void>;
}

interface Waiter {
  readonly count: number;
  resolve(request: RecordedRequest): void;
  reject(error: Error): void;
}

/** The requests so far, and who waits for the next. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  #waiters: Waiter[] = [];
  #stopped = false;

  /** Records a request and returns its index, counted from 0. */
  add(request: RecordedRequest): number {
    const count = this.requests.push(request);
    const due = this.#waiters.filter((waiter) => waiter.count <= count);
    this.#waiters = this.#waiters.filter((waiter) => waiter.count > count);
    for (const waiter of due) waiter.resolve(request);
    return count - 1;
  }

  waitFor(count: number): Promise<RecordedRequest> {
    const arrived = this.requests[count - 1];
    if (arrived !== undefined) return Promise.resolve(arrived);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ count, resolve, reject });
      if (this.#stopped) this.stop();
    });
  }

  /** No more requests will come. */
  stop(): void {
    this.#stopped = true;
    for (const waiter of this.#waiters.splice(0)) {
      waiter.reject(
        new HoldpointError(
          'Holdpoint.Testing.Stopped',
          `The scripted model was closed after ${this.requests.length} requests, while a test waited for request ` +
            `${waiter.count}.`,
          { requests: this.requests.length, waitedFor: waiter.count },
        ),
      );
    }
  }
}
