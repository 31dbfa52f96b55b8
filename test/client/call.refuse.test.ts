import { Connection } from '@temporalio/client';
import { createClient, type HoldpointClient } from '../../src/client';
import type { Methods } from '../../src/client/methods';
import { holdpointError } from '../support/matchers';

let client: HoldpointClient;
const connection = Connection.lazy({ address: '127.0.0.1:1' });

// Nothing is ever connected: whatever gets past the checks fails otherwise.
beforeAll(async () => {
  client = await createClient({ connection });
});
afterAll(() => connection.close());

const answer = { id: 'r', ok: true };

/** Each call with everything in order but its options, and one name that those have. */
const CALLS: Readonly<Record<keyof Methods, [known: string, call: (options: never) => unknown]>> = {
  run: ['runId', (options) => client.run('desk', 'x', options)],
  start: ['context', (options) => client.start('desk', 'x', options)],
  get: ['messages', (options) => client.get('run', options)],
  result: ['messages', (options) => client.result('run', options)],
  waitForHalt: ['messages', (options) => client.waitForHalt('run', options)],
  runWithAnswer: ['messages', (options) => client.runWithAnswer('run', answer, options)],
  answer: ['waitMs', (options) => client.answer('run', answer, options)],
  answerAll: ['waitMs', (options) => client.answerAll('run', [answer], options)],
  revokeApproval: ['by', (options) => client.revokeApproval('run', 'refund', options)],
  noteRefusal: [
    'waitMs',
    (options) => client.noteRefusal('run', { error: { type: 't', message: 'm' } }, options),
  ],
  ask: ['whilePending', (options) => client.ask('desk', 'talk', 'x', options)],
  askWithAnswer: ['messages', (options) => client.askWithAnswer('talk', answer, options)],
  continue: ['limits', (options) => client.continue('run', 'x', options)],
  events: ['after', (options) => client.events('run', options)],
  requests: ['kind', (filter) => client.requests(filter)],
  list: ['status', (filter) => client.list(filter)],
  listPage: ['cursor', (filter) => client.listPage(filter)],
  startAsk: ['whilePending', (options) => client.startAsk('desk', 'talk', 'x', options)],
  describe: ['waitMs', (options) => client.describe('run', options)],
  cancel: ['waitMs', (options) => client.cancel('run', options)],
  addMessage: ['waitMs', (options) => client.addMessage('run', 'x', options)],
  abandon: ['waitMs', (options) => client.abandon('talk', 'no', options)],
  close: ['waitMs', (options) => client.close('talk', options)],
  erase: ['waitMs', (options) => client.erase('run', options)],
  translate: ['signal', (options) => client.translate({ messages: [], model: 'm' }, options)],
};

test.each(Object.entries(CALLS))(
  '%s refuses an option that it does not have',
  async (name, [known, call]) => {
    await expect((async () => call({ wait: 1 } as never))()).rejects.toEqual(
      holdpointError(
        'Holdpoint.Client.InvalidOptions',
        new RegExp(`Unknown option \`wait\` of \`${name}\`\\. The options are .*${known}`),
      ),
    );
    await expect((async () => call(5 as never))()).rejects.toEqual(
      holdpointError('Holdpoint.Client.InvalidOptions', /to be an object, got 5/),
    );
  },
);

test.each<[string, object, RegExp]>([
  ['a signal that is none', { signal: 'stop' }, /`signal` to be an AbortSignal/],
  ['messages that are no yes or no', { messages: 'none' }, /`messages` to be a boolean/],
  ['a wait of no time', { waitMs: 0 }, /`waitMs`.*above 0/],
  ['an unknown limit', { limits: { maxTurn: 3 } }, /Unknown limit `maxTurn`/],
])('run refuses %s', async (_, options, message) => {
  await expect(client.run('desk', 'x', options)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', message),
  );
});

test('a logger without `warn` is refused', async () => {
  await expect(createClient({ connection, logger: {} as never })).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /`logger`.*`warn`/),
  );
});

test('translate refuses what its request does not have, and a request without messages', async () => {
  const translate = (request: object) => client.translate(request as never);
  const invalid = (message: RegExp): Error => holdpointError('Holdpoint.Client.InvalidOptions', message);
  await expect(translate({ messages: [], model: 'm', prompt: 'x' })).rejects.toEqual(
    invalid(/Unknown option `prompt` of `translate`.*messages/),
  );
  await expect(translate({ model: 'm' })).rejects.toEqual(invalid(/`messages`.*an array/));
});
