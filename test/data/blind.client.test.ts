import { randomBytes } from 'node:crypto';
import { calls, desk as agent, newId, openDesk, pendingId, type Desk } from '../client/desk';
import type { HoldpointClient } from '../../src/client';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { aesCodec } from './aes-codec';

let desk: Desk;
let blind: HoldpointClient;
beforeAll(async () => {
  quietRuntime('silent');
  desk = await openDesk([agent()], testServer(), { payloadCodecs: [aesCodec(randomBytes(32))] });
  blind = await desk.connect({ payloadCodecs: [] });
});
afterAll(async () => {
  await blind?.disconnect();
  await desk?.close();
});

const unreadable = holdpointError('Holdpoint.Data.Unreadable', /payloadCodecs/);

test('what a conversation says to an ask is not taken for its receipt by a client that cannot read it', async () => {
  await expect(blind.startAsk('desk', newId(), desk.play([{ content: 'Hi.' }]))).rejects.toEqual(unreadable);
});

test('what is refused is told without the details that a client cannot read', async () => {
  const id = newId();
  const halted = await desk.client.ask('desk', id, desk.play([calls('a'), { content: 'Done.' }]));
  expect(pendingId(halted)).not.toBe('');
  const refused: unknown = await blind.startAsk('desk', id, 'More').catch((error: unknown) => error);
  expect(refused).toEqual(holdpointError('Holdpoint.Conversation.Pending'));
  expect(JSON.stringify(refused)).not.toContain('__holdpoint');
});

test('a conversation that fails on a worker without the codec says why to its first ask', async () => {
  await desk.stopWorker();
  await desk.startWorker({ payloadCodecs: [] });
  try {
    const asked = desk.client.ask('desk', newId(), desk.play([{ content: 'Hi.' }]));
    await expect(asked).rejects.toEqual(holdpointError('Holdpoint.Run.InvalidInput'));
  } finally {
    await desk.stopWorker();
    await desk.startWorker();
  }
});

test('with no worker, requests that a client cannot read are not left out in silence', async () => {
  // Of a tenant of its own: on the server wait runs of others, which everybody can read.
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const { runId } = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const named = holdpointError('Holdpoint.Data.Unreadable', /^Run "[^"]+" /);
  await until('it is listed', async () => (await client.requests()).length === 1);
  const decode = () => Promise.reject(new Error('The keys are away'));
  const keyless = await desk.connect({ payloadCodecs: [{ encode: (all) => Promise.resolve(all), decode }] });
  await desk.stopWorker();
  try {
    await expect(client.requests()).resolves.toMatchObject([{ runId, confirmed: false }]);
    await expect(blind.forTenant(tenant).requests()).rejects.toEqual(named);
    // A query that no worker answers may bring something of the server's own that it cannot read either.
    const type = expect.stringMatching(/^Holdpoint\.Data\./) as unknown;
    await expect(keyless.forTenant(tenant).requests()).rejects.toMatchObject({ type });
  } finally {
    await keyless.disconnect();
    await desk.startWorker();
  }
}, 60_000);
