/** When a workflow continues as new, and what it may take along. */

/** Over 2 MB, the server fails the run (measured); this leaves room for what it adds. */
const MAX_CARRIED_BYTES = 1.5 * 1024 * 1024;
/** Where the worker keeps it elsewhere: what one step has the time to write and read. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;
const MAX_SIGNALS = 1000;
const MAX_UPDATES = 1500;

export function maxCarriedBytes(stored: true | undefined): number {
  return stored ? MAX_STORED_BYTES : MAX_CARRIED_BYTES;
}

export function isMany(signals: number, updates: number): boolean {
  return signals >= MAX_SIGNALS || updates >= MAX_UPDATES;
}
