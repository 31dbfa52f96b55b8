/**
 * Tells whoever waits that something has changed. Handlers call `notify` after they changed the state;
 * a waiter looks at the state again. Nothing is lost between looking and waiting: neither awaits.
 */
export class Wake {
  /** One for all who wait now: the loop asks anew each time that anything else moved it on. */
  private waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  notify(): void {
    this.waiting?.resolve();
    this.waiting = undefined;
  }

  next(): Promise<void> {
    this.waiting ??= newWaiting();
    return this.waiting.promise;
  }
}

function newWaiting() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
