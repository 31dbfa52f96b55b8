import { createInProcessClient, defineAgent, type InProcessClient } from '../../src';
import { holdpointError } from '../support/matchers';

const desk = defineAgent({ name: 'desk', model: 'm' });
const answer = { id: 'r', ok: true };

type Loose = Record<
  'run' | 'runWithAnswer' | 'ask' | 'askWithAnswer',
  (...args: unknown[]) => Promise<unknown>
>;

/** What a caller without TypeScript may pass. */
const client = createInProcessClient({ generate: () => ({ content: 'x' }) }) as InProcessClient & Loose;

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    'an agent by its name, as a durable client takes it',
    () => client.run('desk', 'Hello'),
    /tools of `run\(input, tools, options\)`.*got "Hello"\. An agent goes there as `defineAgent` made it/,
  ],
  ['an agent in the place of the input', () => client.run(desk, 'Hello'), /`run\(input, tools, options\)`/],
  ['null in the place of tools', () => client.run('Hello', null), /got null/],
  ['an object of tools', () => client.run('Hello', { tools: [] }), /a list of tools or an agent/],
  [
    'the arguments of a durable ask',
    () => client.ask('desk', 'customer', 'Hello'),
    /`ask\(conversationId, input, tools, options\)`.*got "Hello"/,
  ],
  ['options that are none', () => client.run('Hello', [], 'fast'), /options of .*an object, got "fast"/],
  ['an unknown option of a run', () => client.run('Hello', desk, { sytem: 'x' }), /`sytem`.*system/],
  ['an unknown option of an ask', () => client.ask('c', 'Hello', desk, { wait: 1 }), /`wait`.*whilePending/],
  ['an unknown way to wait', () => client.ask('c', 'x', [], { whilePending: 'now' }), /whilePending.*"now"/],
  ['a system prompt that is none', () => client.run('Hello', [], { system: 7 }), /`system`.*string, got 7/],
  ['a signal that is none', () => client.run('Hello', [], { signal: {} }), /`signal`.*AbortSignal/],
  [
    'a toolkit in the place of options',
    () => client.runWithAnswer({ messages: [] }, answer, { tools: [] }),
    /Unknown option `tools` of `runWithAnswer`.*toolkit/,
  ],
  [
    'a toolkit that is none',
    () => client.askWithAnswer('c', answer, { toolkit: 'desk' }),
    /`toolkit`.*"desk"/,
  ],
])('%s is refused with what goes there', async (_, call, message) => {
  await expect(call()).rejects.toEqual(holdpointError('Holdpoint.Client.InvalidOptions', message));
});
