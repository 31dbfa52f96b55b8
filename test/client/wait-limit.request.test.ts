import { getEventListeners } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import { TimeIsOver, WaitLimit } from '../../src/client/wait-limit';

let connection: Connection;
let temporal: Client;

beforeAll(() => {
  connection = Connection.lazy({ address: '127.0.0.1:1' });
  temporal = new Client({ connection });
});
afterAll(() => connection.close());

const unavailable = Object.assign(new Error('down'), { code: 14, details: 'down', metadata: {} });

test('failures that pass are retried until the request succeeds, others are thrown at once', async () => {
  const limit = new WaitLimit(temporal, {}, 60_000);
  const request = jest
    .fn<Promise<string>, []>()
    .mockRejectedValueOnce(unavailable)
    .mockResolvedValueOnce('done');
  await expect(limit.retrying(request)).resolves.toBe('done');
  const final = new Error('no');
  await expect(limit.retrying(() => Promise.reject(final))).rejects.toBe(final);
});

test('an update that the server let go of with a workflow task of its run is sent again', async () => {
  const details = 'Unable to perform workflow execution update due to unexpected workflow task failure.';
  const lost = Object.assign(new Error(details), { code: 9, details, metadata: {} });
  const closed = Object.assign(new Error('closed'), { code: 9, details: 'closed', metadata: {} });
  const request = jest.fn<Promise<string>, []>().mockRejectedValueOnce(lost).mockResolvedValueOnce('done');
  const limit = new WaitLimit(temporal, {}, 60_000);
  await expect(limit.retrying(request)).resolves.toBe('done');
  await expect(limit.retrying(() => Promise.reject(closed))).rejects.toBe(closed);
});

test('a request that keeps failing ends with the time, an aborted one with the signal’s reason', async () => {
  const failing = (): Promise<never> => Promise.reject(unavailable);
  await expect(new WaitLimit(temporal, { waitMs: 50 }, 1).retrying(failing)).rejects.toBeInstanceOf(
    TimeIsOver,
  );
  const leaving = new AbortController();
  const reason = new Error('gone');
  const sent = new WaitLimit(temporal, { signal: leaving.signal }, 60_000).retrying(failing);
  setImmediate(() => leaving.abort(reason));
  await expect(sent).rejects.toBe(reason);
});

test('a signal that outlives many requests keeps no listener of theirs', async () => {
  const { signal } = new AbortController();
  const limit = new WaitLimit(temporal, { signal }, 60_000);
  for (let n = 0; n < 20; n += 1) await limit.once(async () => n);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
