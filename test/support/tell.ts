/** What tools in a worker process of their own use to say where they are; see `startWorkerProcess`. */

/** True in a worker process, false where the same agents run in the test's own process. */
export const inWorkerProcess = process.env.HOLDPOINT_WORKER_PROCESS === '1';

/** Tells the test something. Resolves when it is on its way, so that a SIGKILL afterwards cannot take it back. */
export async function tell(what: string): Promise<void> {
  if (!inWorkerProcess) return;
  await new Promise<void>((resolve, reject) => {
    if (!process.send) return reject(new Error('The test is gone'));
    process.send({ told: what }, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
