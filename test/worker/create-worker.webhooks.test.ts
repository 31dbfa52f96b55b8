import type { WorkerOptions } from '../../src/worker';
import { createWorker, holdpointPlugin } from '../../src/worker';
import { defineAgent } from '../../src/tools';
import { holdpointError } from '../support/matchers';
import { NEXT_SECRET, SECRET } from '../webhooks/events';

const agents = [defineAgent({ name: 'desk', model: 'm' })];
const crm = { id: 'crm', url: 'https://hooks.example.com/holdpoint?token=t0ps3cret', secrets: [SECRET] };

/** What a caller without TypeScript may pass. */
const create = (webhooks: unknown) => createWorker({ agents, webhooks } as WorkerOptions);

describe('createWorker refuses webhooks that could not be delivered', () => {
  it.each<[string, unknown, RegExp]>([
    ['no object', 'https://hooks.example.com', /`webhooks` to be an object, got "https/],
    ['no endpoints', {}, /endpoints to be an array/],
    ['an unknown option', { endpoints: [], callbacks: 1 }, /Unknown option `callbacks` of `webhooks`/],
    ['a callback that is no function', { endpoints: [], callback: 'https://x' }, /`webhooks.callback`/],
    ['an allow-list that means nothing', { endpoints: [], allow: ['localhost'] }, /got "localhost"/],
    ['what is no endpoint', { endpoints: ['https://x'] }, /endpoint number 1: expected an object/],
    ['an endpoint without an id', { endpoints: [{ ...crm, id: undefined }] }, /number 1: expected `id`/],
    ['an id with a slash', { endpoints: [{ ...crm, id: 'a/b' }] }, /expected `id`/],
    ['two of one id', { endpoints: [crm, { ...crm }] }, /Two webhook endpoints are named "crm"/],
    [
      'an unknown option of an endpoint',
      { endpoints: [{ ...crm, secret: SECRET }] },
      /endpoint "crm": unknown option `secret`/,
    ],
    ['a URL that is none', { endpoints: [{ ...crm, url: 'crm' }] }, /"crm": expected `url`/],
    ['plain http', { endpoints: [{ ...crm, url: 'http://crm.example/' }] }, /https:\/\/.*`allow`/],
    ['a private address', { endpoints: [{ ...crm, url: 'https://10.0.0.1/' }] }, /range private/],
    ['no secret', { endpoints: [{ ...crm, secrets: [] }] }, /at least one secret/],
    ['a short secret', { endpoints: [{ ...crm, secrets: [SECRET, 'whsec_YWJj'] }] }, /24 to 64/],
    ['an unknown event', { endpoints: [{ ...crm, events: ['run.over'] }] }, /list of run.pending/],
    ['an empty tenant', { endpoints: [{ ...crm, tenant: '' }] }, /`tenant`/],
    ['agents that are no list', { endpoints: [{ ...crm, agents: 'desk' }] }, /`agents`/],
  ])('%s', async (_, webhooks, message) => {
    const refusal = create(webhooks);
    await expect(refusal).rejects.toEqual(holdpointError('Holdpoint.Worker.InvalidOptions', message));
    await expect(refusal).rejects.not.toThrow(/t0ps3cret|YWFh|YWJj/);
  });

  it('the same of a plugin', () => {
    const refused = (): unknown =>
      holdpointPlugin({ agents, webhooks: { endpoints: [{ ...crm, url: 'x' }] } });
    expect(refused).toThrow(holdpointError('Holdpoint.Worker.InvalidOptions', /"crm"/));
  });

  it('an activity that is named as one of its own', async () => {
    const given = { agents, activities: { notify: () => undefined } };
    await expect(createWorker(given)).rejects.toEqual(
      holdpointError('Holdpoint.Worker.InvalidOptions', /"notify" is Holdpoint's own/),
    );
  });
});

test('good webhooks are taken, as a list or as a function', () => {
  const endpoint = {
    ...crm,
    secrets: [NEXT_SECRET, SECRET],
    events: ['run.done'] as const,
    agents: ['desk'],
  };
  const local = { ...endpoint, id: 'local', url: 'http://127.0.0.1:8080/' };
  for (const endpoints of [[endpoint, local], () => [endpoint]])
    expect(() =>
      holdpointPlugin({ agents, webhooks: { endpoints, allow: ['127.0.0.1:8080'] } }),
    ).not.toThrow();
});
