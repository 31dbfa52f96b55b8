import { KeptLooks } from '../../src/inbox/kept-looks';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A thing to look at, which says how often it was. */
function thing() {
  const gates: (() => void)[] = [];
  let taken = 0;
  const take = (): Promise<number> => {
    taken += 1;
    const now = taken;
    return new Promise((resolve) => gates.push(() => resolve(now)));
  };
  return { take, open: () => gates.splice(0).forEach((open) => open()), count: () => taken };
}

test('a hundred pages that read on cost one look, also while it is slow and for a moment after', async () => {
  const looks = new KeptLooks<number>();
  const { take, open, count } = thing();
  const first = Array.from({ length: 100 }, () => looks.recent('a', take));
  // Longer than a look is kept.
  jest.advanceTimersByTime(10_000);
  const slow = Array.from({ length: 100 }, () => looks.recent('a', take));
  open();
  expect(new Set(await Promise.all([...first, ...slow]))).toEqual(new Set([1]));
  await expect(looks.recent('a', take)).resolves.toBe(1);
  expect(count()).toBe(1);
});

test('somebody who asks just now gets a look that began after they did, and shares it with others who ask', async () => {
  const looks = new KeptLooks<number>();
  const { take, open } = thing();
  const old = looks.recent('a', take);
  const now = [looks.latest('a', take), looks.latest('a', take)];
  open();
  await expect(old).resolves.toBe(1);
  await Promise.resolve();
  open();
  await expect(Promise.all(now)).resolves.toEqual([2, 2]);
});

test('a look is kept for a moment, a long one for longer, and then nothing is left, not even a timer', async () => {
  const looks = new KeptLooks<number>();
  const { take, open, count } = thing();
  const quick = looks.recent('a', take);
  open();
  await quick;
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(1_500);
  expect(jest.getTimerCount()).toBe(0);
  const long = looks.recent('a', take);
  expect(count()).toBe(2);
  jest.advanceTimersByTime(5_000);
  open();
  await long;
  jest.advanceTimersByTime(14_000);
  await expect(looks.recent('a', take)).resolves.toBe(2);
  jest.advanceTimersByTime(1_000);
  void looks.recent('a', take);
  expect(count()).toBe(3);
});

test('a failure is told to those who wait for it, and to nobody after', async () => {
  const looks = new KeptLooks<number>();
  const fails = (): Promise<number> => Promise.reject(new Error('away'));
  const waiting = [looks.recent('a', fails), looks.recent('a', fails)];
  for (const look of waiting) await expect(look).rejects.toThrow('away');
  await expect(looks.recent('a', () => Promise.resolve(7))).resolves.toBe(7);
});
