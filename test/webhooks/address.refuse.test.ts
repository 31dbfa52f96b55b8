/** Every way that is known to make a webhook call what only this network can reach. */
import type { LookupAddress } from 'node:dns';
import { EventEmitter } from 'node:events';
import https from 'node:https';
import {
  addressProblem,
  resolveTarget,
  urlProblem,
  type ResolveHost,
} from '../../src/webhooks/address-guard';
import { allowProblem } from '../../src/webhooks/allow-list';
import { deliver } from '../../src/webhooks/deliver';
import { SECRET } from './events';
import { FORBIDDEN } from './forbidden';
import { openReceiver } from './receiver';

const PUBLIC = '93.184.215.14';
const event = { webhookId: 'msg_1', body: '{}' };

const leadsTo =
  (...addresses: readonly string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe.each(FORBIDDEN)('%s (%s)', (_, address) => {
  const host = address.includes(':') ? `[${address}]` : address;

  it('is refused as the host of a URL, when it is given and again when it is called', async () => {
    const url = `https://${host}/hook`;
    expect(urlProblem(url, [])).toMatch(/Only public addresses are called/);
    await expect(resolveTarget(url, {})).resolves.toMatchObject({ is: 'refused' });
  });

  it('is refused when a name leads to it, alone or beside a public one', async () => {
    const url = 'https://hooks.example.com/hook';
    expect(urlProblem(url, [])).toBeUndefined();
    for (const addresses of [[address], [PUBLIC, address], [address, PUBLIC]])
      await expect(resolveTarget(url, { resolve: leadsTo(...addresses) })).resolves.toMatchObject({
        is: 'refused',
        why: expect.stringMatching(/^its name leads to/) as unknown,
      });
  });
});

test.each([
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['octal in one', 'https://017700000001/'],
  ['hexadecimal', 'https://0x7f.0.0.1/'],
  ['hexadecimal in one', 'https://0x7f000001/'],
  ['short', 'https://127.1/'],
  ['with a dot at its end', 'https://127.0.0.1./'],
  ['of full-width digits', 'https://１２７.０.０.１/'],
  ['with an ideographic full stop', 'https://127。0。0。1/'],
  ['percent-encoded', 'https://%31%32%37.0.0.1/'],
  ['metadata in decimal', 'https://2852039166/latest/meta-data/'],
])('a host that is %s is read as the address that it is', (_, url) => {
  expect(urlProblem(url, [])).toMatch(/the host of `url` is an address of the range/);
});

test.each([
  ['plain http', 'http://hooks.example.com/', /begin with https/],
  ['a file', 'file:///etc/passwd', /begin with https/],
  ['another protocol', 'gopher://hooks.example.com/', /begin with https/],
  ['a user name', 'https://me@hooks.example.com/', /user name or a password/],
  ['a password', 'https://me:secret@hooks.example.com/', /user name or a password/],
  ['a host hidden behind credentials', 'https://hooks.example.com@127.0.0.1/', /user name or a password/],
  ['no URL', 'hooks.example.com', /absolute URL/],
  ['no host', 'https://', /absolute URL/],
])('%s is refused, and the URL not repeated', (_, url, problem) => {
  expect(urlProblem(url, [])).toMatch(problem);
  expect(urlProblem(url, [])).not.toMatch(/secret|example|passwd/);
});

test.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a00:1450:4001:830::200e'])(
  'a public address passes: %s',
  (address) => {
    expect(addressProblem(address)).toBeUndefined();
  },
);

test('what is no address does not pass for one', () => {
  expect(addressProblem('localhost')).toBe('no address');
});

describe('an allow-list', () => {
  test.each([
    ['the host and the port', '127.0.0.1:8080', true],
    ['any port', '127.0.0.1:*', true],
    ['another port', '127.0.0.1:8081', false],
    ['another host', 'localhost:8080', false],
    ['the beginning of a host', '127.0.0:8080', false],
  ])('with %s', async (_, pattern, passes) => {
    const target = await resolveTarget('http://127.0.0.1:8080/hook', { allow: [pattern] });
    expect(target.is).toBe(passes ? 'open' : 'refused');
  });

  test('takes IPv6 addresses in brackets', async () => {
    const target = await resolveTarget('http://[::1]:8080/hook', { allow: ['[::1]:*'] });
    expect(target).toMatchObject({ is: 'open', addresses: [{ address: '::1', family: 6 }] });
  });

  test('lets names below a name through, not the name, and not one that ends alike', async () => {
    const allow = ['*.test:443'];
    const isOf = async (url: string) =>
      (await resolveTarget(url, { allow, resolve: leadsTo('10.0.0.1') })).is;
    await expect(isOf('https://hooks.test/')).resolves.toBe('open');
    await expect(isOf('https://test/')).resolves.toBe('refused');
    await expect(isOf('https://hookstest/')).resolves.toBe('refused');
    await expect(isOf('http://hooks.test/')).resolves.toBe('refused');
  });

  test('with an address does not let names through that lead to it', async () => {
    const options = { allow: ['127.0.0.1:*'], resolve: leadsTo('127.0.0.1') };
    const target = await resolveTarget('https://hooks.example.com/', options);
    expect(target.is).toBe('refused');
  });

  test.each([['localhost'], ['*'], ['*:80'], ['http://localhost:80'], ['a*:80'], [7]])(
    'with what means nothing is refused: %s',
    (pattern) => {
      expect(allowProblem([pattern])).toMatch(/host:port/);
    },
  );

  test('is a list', () => {
    expect(allowProblem('localhost:80')).toMatch(/an array/);
    expect(allowProblem(['localhost:80', '*.test:*', '[::1]:443'])).toBeUndefined();
  });
});

test('a refused endpoint is not called, and the event is dropped', async () => {
  const receiver = await openReceiver();
  try {
    const endpoint = { url: `https://hooks.example.com:${receiver.port}/`, secrets: [SECRET] };
    const outcome = await deliver(endpoint, event, { resolve: leadsTo('127.0.0.1') });
    expect(outcome).toEqual({
      is: 'drop',
      reason: 'refused to call it: its name leads to an address of the range loopback',
    });
    expect(receiver.received).toEqual([]);
  } finally {
    await receiver.close();
  }
});

test('a name that means another address a moment later gains nothing: what was judged is dialled', async () => {
  let asked = 0;
  const rebinding: ResolveHost = (host) => leadsTo(asked++ === 0 ? PUBLIC : '127.0.0.1')(host);
  const dialled: unknown[] = [];
  // Nothing is sent: it asks for the address as a connection would, in both of its ways, and breaks off.
  const fake = (_url: unknown, { lookup }: https.RequestOptions): unknown => {
    const heard = (_error: unknown, address: string | LookupAddress[], family?: number): void =>
      void dialled.push([address, family]);
    for (const all of [true, false]) lookup?.('hooks.example.com', { all }, heard);
    const sent = new EventEmitter();
    return Object.assign(sent, { end: () => void sent.emit('error', new Error('broken off')) });
  };
  const request = jest.spyOn(https, 'request').mockImplementation(fake as typeof https.request);
  try {
    const endpoint = { url: 'https://hooks.example.com/', secrets: [SECRET] };
    await expect(deliver(endpoint, event, { resolve: rebinding })).resolves.toMatchObject({ is: 'retry' });
  } finally {
    request.mockRestore();
  }
  expect(asked).toBe(1);
  expect(dialled).toEqual([
    [[{ address: PUBLIC, family: 4 }], undefined],
    [PUBLIC, 4],
  ]);
});

test('the connection asks nobody else for the address', async () => {
  const receiver = await openReceiver();
  try {
    // A name that no resolver knows: the one that was given is the only one that is asked.
    const endpoint = { url: `http://hooks.invalid:${receiver.port}/`, secrets: [SECRET] };
    const options = { allow: ['hooks.invalid:*'], resolve: leadsTo('127.0.0.1') };
    await expect(deliver(endpoint, event, options)).resolves.toMatchObject({ is: 'delivered' });
    expect(receiver.received[0]?.headers.host).toBe(`hooks.invalid:${receiver.port}`);
  } finally {
    await receiver.close();
  }
});

test.each([301, 302, 303, 307, 308])('a redirect is a failure and is not followed: %i', async (status) => {
  const inner = await openReceiver();
  const receiver = await openReceiver([{ status, headers: { location: inner.url } }]);
  try {
    const endpoint = { url: receiver.url, secrets: [SECRET] };
    const outcome = await deliver(endpoint, event, { allow: ['127.0.0.1:*'] });
    expect(outcome).toEqual({ is: 'retry', reason: `it answered ${status}; redirects are not followed` });
    expect(receiver.received).toHaveLength(1);
    expect(inner.received).toEqual([]);
  } finally {
    await receiver.close();
    await inner.close();
  }
});
