import { until } from './until';

/** Reads until what was read is as expected, and gives it. */
export async function waitUntil<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
  let value = await read();
  if (isExpected(value)) return value;
  await until('it reads as expected', async () => isExpected((value = await read())));
  return value;
}
