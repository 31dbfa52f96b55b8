import { canonicalJson } from '../../src/agent/json';
import { retryDelayMs } from '../../src/activities/notify-delay';
import { toWebhooks, type WebhookOptions, type Webhooks } from '../../src/webhooks/options';
import { holdpointFailure } from '../support/matchers';
import { pendingEvent, SECRET } from '../webhooks/events';
import { openReceiver, verified, type Receiver, type ReceiverAnswer } from '../webhooks/receiver';
import { activitiesOf, callModelInput, environment } from './fixtures';

const event = pendingEvent();
const open: Receiver[] = [];
afterEach(() => Promise.all(open.splice(0).map((receiver) => receiver.close())));

async function receiverThat(...answers: readonly ReceiverAnswer[]): Promise<Receiver> {
  const receiver = await openReceiver(answers);
  open.push(receiver);
  return receiver;
}

function webhooksTo(url: string, more: Partial<WebhookOptions> = {}): Webhooks {
  const endpoint = { id: 'crm', url, secrets: [SECRET], tenant: 'acme' };
  return toWebhooks({ endpoints: [endpoint], allow: ['127.0.0.1:*'], ...more });
}

const notifyWith = (webhooks: Webhooks, attempt = 1, endpointId = 'crm') =>
  environment({ attempt }).perform(activitiesOf({ webhooks }).notify, { event, endpointId });

/** The failure of an attempt. */
const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => Promise.reject(new Error(`Expected a failure, got ${canonicalJson(value)}`)),
    (error: unknown) => error,
  );

describe('notify on the worker', () => {
  it('tells the endpoint, with a callback for each request', async () => {
    const receiver = await receiverThat({ status: 202 });
    const callback: WebhookOptions['callback'] = ({ id }, { run }) =>
      `https://agents.example.com/${run.executionId}/${id}`;
    await expect(notifyWith(webhooksTo(receiver.url, { callback }))).resolves.toEqual({
      is: 'delivered',
      status: 202,
    });
    const [request] = receiver.received;
    const body = request && verified(request, SECRET);
    const url = `https://agents.example.com/${event.run.executionId}/req_1`;
    expect(body?.data.requests).toMatchObject([{ id: 'req_1', callbackUrl: url }]);
  });

  it('repeats with the same id and body, and a signature of its own', async () => {
    const receiver = await receiverThat({ status: 500 }, { status: 200 });
    await failureOf(notifyWith(webhooksTo(receiver.url)));
    await notifyWith(webhooksTo(receiver.url), 2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  it('fails in a way that is tried again, and shows neither the URL nor what was sent', async () => {
    const receiver = await receiverThat({ status: 503, body: 'the database of the CRM is down' });
    const failure = await failureOf(notifyWith(webhooksTo(`${receiver.url}?token=t0ps3cret`)));
    expect(failure).toEqual(
      holdpointFailure('Holdpoint.Webhook.NotDelivered', /crm was not told: it answered 503/, {
        nonRetryable: false,
      }),
    );
    expect(JSON.stringify(failure)).not.toMatch(/t0ps3cret|127\.0\.0\.1|whsec|1047|database/);
  });

  it('obeys Retry-After, from a second to six hours', async () => {
    const asks = async (header: string): Promise<unknown> => {
      const receiver = await receiverThat({ status: 429, headers: { 'retry-after': header } });
      return failureOf(notifyWith(webhooksTo(receiver.url)));
    };
    await expect(asks('120')).resolves.toMatchObject({ nextRetryDelay: 120_000 });
    await expect(asks('0')).resolves.toMatchObject({ nextRetryDelay: 1_000 });
    await expect(asks('9999999')).resolves.toMatchObject({ nextRetryDelay: 6 * 3_600_000 });
  });

  it.each([
    ['is gone from the configuration', 'shop', webhooksTo('http://127.0.0.1:1/'), /no longer configured/],
    [
      'is another tenant’s by now',
      'crm',
      webhooksTo('', {
        endpoints: () => [{ id: 'crm', url: 'http://127.0.0.1:1/', secrets: [SECRET], tenant: 'rival' }],
      }),
      /no longer to hear/,
    ],
    ['is not to be called', 'crm', webhooksTo('http://127.0.0.1:1/', { allow: [] }), /begin with https/],
  ])('drops an event whose endpoint %s', async (_, endpointId, webhooks, reason) => {
    await expect(notifyWith(webhooks, 1, endpointId)).resolves.toEqual({
      is: 'dropped',
      reason: expect.stringMatching(reason) as unknown,
    });
  });

  it('tries again where a callback cannot be made, and does not show why', async () => {
    const callback = (): never => {
      throw new Error('key 0xdeadbeef');
    };
    const failure = await failureOf(notifyWith(webhooksTo('http://127.0.0.1:1/', { callback })));
    expect(failure).toEqual(holdpointFailure('Holdpoint.Webhook.NotDelivered', /callback URL/));
    expect(JSON.stringify(failure)).not.toContain('deadbeef');
  });

  it.each([[['hush']], [[]]])(
    'tries again where secrets are no secrets, and does not show them: %j',
    async (secrets) => {
      const endpoints = () => [{ id: 'crm', url: 'https://a.example', secrets }];
      const failure = await failureOf(notifyWith(webhooksTo('', { endpoints })));
      expect(failure).toEqual(
        holdpointFailure('Holdpoint.Webhook.NotDelivered', /expected .*`secrets`/, { nonRetryable: false }),
      );
      expect(JSON.stringify(failure)).not.toContain('hush');
    },
  );

  it.each(['notify', 'notifyTargets'] as const)(
    '%s leaves an event to another worker where this one has no webhooks',
    async (name) => {
      const { [name]: activity } = activitiesOf();
      const input = { event, endpointId: 'crm', type: event.type, agent: 'desk' };
      await expect(
        failureOf(environment().perform(activity as (input: object) => Promise<unknown>, input)),
      ).resolves.toEqual(
        holdpointFailure('Holdpoint.Webhook.NotDelivered', /no webhooks/, { nonRetryable: false }),
      );
    },
  );
});

describe('notifyTargets', () => {
  const url = 'https://hooks.example.com/';
  const endpoints = [
    { id: 'all', url, secrets: [SECRET] },
    { id: 'acme', url, secrets: [SECRET], tenant: 'acme' },
    { id: 'acme-ends', url, secrets: [SECRET], tenant: 'acme', events: ['run.done', 'run.failed'] as const },
    { id: 'acme-desk', url, secrets: [SECRET], tenant: 'acme', agents: ['desk'] },
    { id: 'other', url, secrets: [SECRET], tenant: 'other' },
  ];
  const { notifyTargets } = activitiesOf({ webhooks: toWebhooks({ endpoints: () => endpoints }) });

  it.each([
    ['an event of a tenant', { type: 'run.pending', agent: 'shop', tenant: 'acme' }, ['acme']],
    ['an event of an agent', { type: 'run.pending', agent: 'desk', tenant: 'acme' }, ['acme', 'acme-desk']],
    ['an end', { type: 'run.failed', agent: 'shop', tenant: 'acme' }, ['acme', 'acme-ends']],
    ['an event without a tenant', { type: 'run.done', agent: 'desk' }, ['all']],
    ['a tenant that nobody serves', { type: 'run.done', agent: 'desk', tenant: 'none' }, []],
  ] as const)('gives the endpoints that want %s', async (_, input, ids) => {
    await expect(environment().perform(notifyTargets, input)).resolves.toEqual(ids);
  });
});

describe('the wait between attempts', () => {
  const middle = (attempt: number): number => retryDelayMs(attempt, undefined, () => 0.5);

  it('doubles from five seconds to six hours', () => {
    expect([1, 2, 3, 12, 13, 14, 1000].map(middle)).toEqual([
      5_000, 10_000, 20_000, 10_240_000, 20_480_000, 21_600_000, 21_600_000,
    ]);
  });

  it('varies by a fifth, so that what failed together does not come back together', () => {
    expect([0, 1].map((at) => retryDelayMs(1, undefined, () => at))).toEqual([4_000, 6_000]);
  });

  it('is what the endpoint asks for, within bounds that grow', () => {
    expect([1, 13, 1000].map((attempt) => retryDelayMs(attempt, 1))).toEqual([1_000, 1_280_000, 1_350_000]);
    expect(retryDelayMs(13, 2_000_000)).toBe(2_000_000);
    expect(retryDelayMs(1, 10 * 3_600_000)).toBe(6 * 3_600_000);
  });

  it('makes more than twenty attempts in three days', () => {
    let left = 3 * 24 * 3_600_000;
    let attempts = 1;
    for (; left >= middle(attempts); attempts += 1) left -= middle(attempts);
    expect(attempts).toBeGreaterThan(20);
  });
});

test('a model reply says whether the worker has webhooks, so that the run knows', async () => {
  const replyOf = (webhooks?: Webhooks) =>
    environment().perform(activitiesOf(webhooks && { webhooks }).callModel, callModelInput());
  await expect(replyOf(webhooksTo('https://a.example/'))).resolves.toMatchObject({ notify: true });
  await expect(replyOf()).resolves.not.toHaveProperty('notify');
});
