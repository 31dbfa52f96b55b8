import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './error-code';

/** The owner touches the lock this often; one untouched for `STALE_MS` belongs to a dead process. */
const TOUCH_MS = 5_000;
const STALE_MS = 30_000;
const RETRY_MS = 250;

/**
 * Runs `work` while nobody else on this machine runs under the same lock file, whose folder must be there. `onWait`
 * is called once if another holds it. Two processes that find the same abandoned lock at once may both go on, so
 * `work` must put its result in place with a rename: readers then see one whole result or the other.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  for (let waited = false; !(await acquire(path)); waited = true) {
    if (!waited) onWait();
    await delay(RETRY_MS);
  }
  const touch = setInterval(() => {
    const now = new Date();
    // A lock that vanished (its folder was deleted) must not stop the work that is nearly done.
    utimes(path, now, now).catch(() => undefined);
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const touched = await stat(path).then(
    (lock) => lock.mtimeMs,
    () => undefined,
  );
  if (touched !== undefined && Date.now() - touched > STALE_MS) await rm(path, { force: true });
  return false;
}
