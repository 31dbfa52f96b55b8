import { extendPrefix, EMPTY_PREFIX, messageDigest, textDigest } from '../../src/activities/digest';
import { TranscriptCache } from '../../src/activities/transcript-cache';
import { defineTool } from '../../src/tools';
import { holdpointFailure } from '../support/matchers';
import { modelOf, response } from '../support/model';
import { activitiesOf, agent, callModelInput, environment, run } from './fixtures';

const hello = { role: 'user', content: 'hello' } as const;

describe('a model call', () => {
  it('R13: sends the transcript and gives the message with digests that later calls refer to', async () => {
    const { model, requests } = modelOf(() => response('Good day.'));
    const cache = new TranscriptCache();
    const { callModel } = activitiesOf({ model, cache });
    const reply = await environment().perform(callModel, callModelInput());
    const message = { role: 'assistant', content: 'Good day.' } as const;
    expect(requests[0]?.messages).toEqual([hello]);
    expect(reply).toMatchObject({ message, routes: [], model: 'm', finishReason: 'stop' });
    expect(reply.digest).toBe(messageDigest(message));
    expect(reply.base).toEqual({ digest: extendPrefix(EMPTY_PREFIX, [messageDigest(hello)]), length: 1 });
    expect(cache.message(reply.digest ?? '')).toEqual(message);
    expect(cache.transcript(reply.base ?? { digest: '', length: 0 })).toEqual([hello]);
  });

  it('goes on from the last call without reading anything', async () => {
    const { model, requests } = modelOf(() => response('ok'));
    const { callModel } = activitiesOf({ model });
    const { perform } = environment();
    const first = await perform(callModel, callModelInput());
    const more = { role: 'user', content: 'more' } as const;
    await perform(
      callModel,
      callModelInput({
        transcript: { base: first.base!, tail: [{ d: first.digest ?? '' }, { m: more }] },
        system: first.system?.digest ?? '',
      }),
    );
    expect(requests[1]?.messages).toEqual([hello, first.message, more]);
  });

  it('resolves the instructions once a run and names them by digest afterwards', async () => {
    let resolved = 0;
    const instructions = ({ context }: { readonly context: unknown }): string => {
      resolved += 1;
      return `Be kind to ${String(context)}.`;
    };
    const { model, requests } = modelOf(() => response('ok'));
    const { callModel } = activitiesOf({ model, agents: new Map([['desk', agent({ instructions })]]) });
    const { perform } = environment();
    const input = callModelInput({ run: { ...run, context: { value: 'Ann' } } });
    const first = await perform(callModel, input);
    expect(first.system).toEqual({ text: 'Be kind to Ann.', digest: textDigest('Be kind to Ann.') });
    const second = await perform(callModel, { ...input, system: first.system?.digest ?? '' });
    expect(second.system).toBeUndefined();
    expect(resolved).toBe(1);
    const sent = { role: 'system', content: 'Be kind to Ann.' };
    expect(requests.map(({ messages }) => messages[0])).toEqual([sent, sent]);
  });

  it('does not send a prompt again that the previous ask had', async () => {
    const { model, requests } = modelOf(() => response('ok'));
    const { callModel } = activitiesOf({
      model,
      agents: new Map([['desk', agent({ instructions: 'Hi.' })]]),
    });
    const reply = await environment().perform(
      callModel,
      callModelInput({ previousSystem: textDigest('Hi.') }),
    );
    expect(reply.system).toBeUndefined();
    expect(requests[0]?.messages[0]).toEqual({ role: 'system', content: 'Hi.' });
  });

  it('says that an agent has no instructions, so that later calls need not ask', async () => {
    const { model, requests } = modelOf(() => response('ok'));
    const { callModel } = activitiesOf({ model });
    const { perform } = environment();
    const reply = await perform(callModel, callModelInput());
    expect(reply.system).toEqual({ text: '', digest: textDigest('') });
    expect(requests[0]?.messages).toEqual([hello]);
  });

  it('gives a route for each call of the message', async () => {
    const look = defineTool({ name: 'look', description: 'Looks.', execute: () => 'seen' });
    const { model } = modelOf(() => ({
      ...response(''),
      toolCalls: [
        { id: 'a', name: 'look', arguments: '{}' },
        { id: 'b', name: 'jump', arguments: '{}' },
      ],
    }));
    const { callModel } = activitiesOf({ model, agents: new Map([['desk', agent({ tools: [look] })]]) });
    const { routes } = await environment().perform(callModel, callModelInput());
    expect(routes).toMatchObject([{ to: 'tool' }, { to: 'error', text: 'Unknown tool: jump' }]);
  });

  it('R32: says that the worker has a host to ask, and for how long', async () => {
    const { callModel } = activitiesOf({ waitFor: () => ({ id: '', ok: true }), waitForTimeoutMs: 5 });
    const { waitFor } = await environment().perform(callModel, callModelInput());
    expect(waitFor).toEqual({ timeoutMs: 5 });
  });

  it('tells the run to set no search attributes on a worker that does without', async () => {
    const { perform } = environment();
    expect(await perform(activitiesOf({ lists: 'none' }).callModel, callModelInput())).toMatchObject({
      lists: 'none',
    });
    expect(await perform(activitiesOf().callModel, callModelInput())).not.toHaveProperty('lists');
  });

  it('R38: refuses a reply over 1 MiB for good, naming its size', async () => {
    const { callModel } = activitiesOf({ model: modelOf(() => response('x'.repeat(1_048_577))).model });
    await expect(environment().perform(callModel, callModelInput())).rejects.toEqual(
      holdpointFailure('Holdpoint.Model.InvalidResponse', /has \d{7} bytes/, { nonRetryable: true }),
    );
  });

  it('fails for good for an agent that is not registered, naming those that are', async () => {
    const { callModel } = activitiesOf();
    const input = callModelInput({ run: { ...run, agent: 'shop' } });
    await expect(environment().perform(callModel, input)).rejects.toEqual(
      holdpointFailure('Holdpoint.Run.UnknownAgent', /"shop".*desk/, {
        nonRetryable: true,
        details: [{ agent: 'shop' }],
      }),
    );
  });

  it('may be done again when the transcript cannot be read', async () => {
    const { callModel } = activitiesOf({
      readPage: async ({ from }) => ({ from, messages: [], length: 0 }),
    });
    const input = callModelInput({ transcript: { base: { digest: 'f'.repeat(64), length: 1 }, tail: [] } });
    await expect(environment().perform(callModel, input)).rejects.toEqual(
      holdpointFailure('Holdpoint.Transcript.Unreadable', /message 0/, { nonRetryable: false }),
    );
  });
});
