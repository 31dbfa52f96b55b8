import { freePort, startTestServer } from '../../src/testing';
import { testServer } from '../support/test-server';

const { TEMPORAL_ADDRESS } = process.env;
afterEach(() => {
  if (TEMPORAL_ADDRESS === undefined) delete process.env.TEMPORAL_ADDRESS;
  else process.env.TEMPORAL_ADDRESS = TEMPORAL_ADDRESS;
});

test('the server at TEMPORAL_ADDRESS is used and never stopped', async () => {
  process.env.TEMPORAL_ADDRESS = testServer().address;
  const server = await startTestServer();
  expect(server).toMatchObject({ address: testServer().address });
  expect(server.pid).toBeUndefined();
  await server.stop();
  await expect(server.kill()).rejects.toMatchObject({ type: 'Holdpoint.Server.InvalidOptions' });
  await (await startTestServer()).stop();
});

test('no server at TEMPORAL_ADDRESS is an error that names the address and what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  process.env.TEMPORAL_ADDRESS = address;
  await expect(startTestServer({ startTimeoutMs: 300 })).rejects.toMatchObject({
    type: 'Holdpoint.Server.Unreachable',
    message: expect.stringMatching(new RegExp(`${address}.*unset TEMPORAL_ADDRESS`)) as string,
  });
});

test('options that shape a server are refused together with TEMPORAL_ADDRESS', async () => {
  process.env.TEMPORAL_ADDRESS = testServer().address;
  await expect(startTestServer({ port: 7233, dbFilename: 'x.db' })).rejects.toMatchObject({
    type: 'Holdpoint.Server.InvalidOptions',
    message: expect.stringMatching(/`port`, `dbFilename`.*dedicated: true/) as string,
  });
});
