/**
 * Tells whoever waits that something has changed. Handlers call `notify` after they changed the state;
 * a waiter looks at the state again. Nothing is lost between looking and waiting: neither awaits.
 */
export class Wake {
  private waiters: (() => void)[] = [];

  notify(): void {
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }
}
