import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConfig, type LiveConfig } from '../../src/config/live-config';
import { configuredWebhooks } from '../../src/webhooks/configured';
import { watchWebhooks } from '../../src/webhooks/watch-webhooks';
import { eventBody, type WebhookEvent } from '../../src/webhooks/event';
import { matching } from '../support/matchers';
import { pendingEvent, SECRET } from './events';

const SIGNING = [{ id: 'a', secret: Buffer.alloc(32, 1).toString('base64') }];
const crm = { id: 'crm', url: 'https://crm.example.com/', secrets: [SECRET] };
const linked = { publicUrl: 'https://holdpoint.test', signingKeys: SIGNING };

let folder: string;
let file: string;
let live: LiveConfig;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-webhooks-'));
  file = join(folder, 'holdpoint.config.json');
});
afterEach(async () => {
  live?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(content: object): Promise<string[]> {
  await writeFile(file, JSON.stringify(content));
  const told: string[] = [];
  const tell = (_: object, message: string): void => void told.push(message);
  live = await openConfig(file, { pollMs: 1e6 });
  watchWebhooks(live, { info: tell, warn: tell });
  return told;
}

async function change(content: object): Promise<void> {
  await writeFile(file, JSON.stringify(content));
  await live.reload();
}

test.each([
  [
    'an address and a signing key',
    {},
    /`publicUrl`.* and a signing key, which `holdpoint keys signing` makes/,
  ],
  ['an address', { signingKeys: SIGNING }, /lacks `publicUrl`, where people reach `holdpoint serve`\.$/],
  ['a signing key', { publicUrl: 'https://holdpoint.test' }, /lacks a signing key/],
])('endpoints without %s are warned of: their events hold no links', async (_, content, warning) => {
  await expect(open({ ...content, webhooks: { endpoints: [crm] } })).resolves.toEqual([matching(warning)]);
});

test('nothing is told of a configuration that lacks nothing, or has no endpoints', async () => {
  await expect(open({ ...linked, webhooks: { endpoints: [crm] } })).resolves.toEqual([]);
  await expect(open({})).resolves.toEqual([]);
});

test('a change of the webhooks is told, with the names of the endpoints, and what it lacks', async () => {
  const told = await open({ ...linked });
  await change({ ...linked, webhooks: { endpoints: [crm, { ...crm, id: 'erp' }] } });
  await change({
    ...linked,
    limits: { bodyBytes: 1000 },
    webhooks: { endpoints: [crm, { ...crm, id: 'erp' }] },
  });
  await change({ webhooks: { endpoints: [crm], allow: ['localhost:*'] } });
  await change({ webhooks: { allow: ['localhost:*'] } });
  expect(told).toEqual([
    'The webhooks have changed: crm, erp.',
    'The webhooks have changed: crm.',
    matching(/`webhooks\.allow` has changed.*next start/),
    matching(/lacks `publicUrl`/),
    'The webhooks have changed: there are none now.',
  ]);
  expect(told.join()).not.toContain('crm.example.com');
});

test('events hold links from the moment on at which the configuration has what they are made of', async () => {
  await open({ webhooks: { endpoints: [crm] } });
  const { callback } = configuredWebhooks(live);
  const links = async () => {
    const { data } = JSON.parse(await eventBody(pendingEvent(), callback)) as WebhookEvent;
    return data.requests?.map(({ callbackUrl }) => callbackUrl);
  };
  await expect(links()).resolves.toEqual([undefined]);
  await change({ ...linked, webhooks: { endpoints: [crm] } });
  await expect(links()).resolves.toEqual([matching(/^https:\/\/holdpoint\.test\/v1\/answers\//)]);
});
