import { setTimeout as delay } from 'node:timers/promises';

const CHECK_MS = 20;

/**
 * Resolves when `holds` does, for what no event announces, such as the end of somebody else's process or a list
 * that lags. Rejects, naming `what`, after `timeoutMs` (default 30 000); prefer an event wherever there is one.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}`);
    await delay(CHECK_MS);
  }
}
