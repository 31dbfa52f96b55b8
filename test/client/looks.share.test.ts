import { SharedLooks } from '../../src/client/shared-looks';

/** What nobody catches while the work goes on, as the process sees it. */
async function unhandledDuring(work: () => Promise<void>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    // Node tells them once the promises that are due have been seen to.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return seen;
}

test('a look that fails is nobody\u2019s unhandled rejection, though whoever stood in line for it has gone', async () => {
  const looks = new SharedLooks<string>();
  const gate: { open?: () => void } = {};
  const unhandled = await unhandledDuring(async () => {
    const first = looks.look('run', () => new Promise((resolve) => (gate.open = () => resolve('first'))));
    void looks.look('run', () => Promise.reject(new Error('The run is gone')));
    gate.open?.();
    await expect(first).resolves.toBe('first');
  });
  expect(unhandled).toEqual([]);
});

test('those who wait for the same look get the same failure, and the next one looks anew', async () => {
  const looks = new SharedLooks<string>();
  const gate: { open?: () => void } = {};
  const first = looks.look('run', () => new Promise((resolve) => (gate.open = () => resolve('first'))));
  const fail = jest.fn(() => Promise.reject(new Error('The run is gone')));
  const waiting = [1, 2].map(() => looks.look('run', fail));
  gate.open?.();
  await first;
  for (const look of waiting) await expect(look).rejects.toThrow('The run is gone');
  expect(fail).toHaveBeenCalledTimes(1);
  await expect(looks.look('run', () => Promise.resolve('again'))).resolves.toBe('again');
});
