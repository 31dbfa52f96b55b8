const startedAt = Date.now();

/** One line of progress on standard output, with the seconds since the start. */
export function say(line: string): void {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Runs a step under its name, and says how long it took. */
export async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const from = Date.now();
  const value = await run();
  say(`${name} (${((Date.now() - from) / 1000).toFixed(1)} s)`);
  return value;
}
