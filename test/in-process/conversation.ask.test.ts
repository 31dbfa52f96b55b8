import {
  answerDeclined,
  answerOutput,
  defineTool,
  pending,
  relayTool,
  type Answer,
  type RunResult,
} from '../../src';
import { createInProcessClient, type GenerateRequest } from '../../src/in-process';
import { calling, echo, inOrder, outputsIn } from '../support/in-process';
import { holdpointError } from '../support/matchers';

const stock = [relayTool({ name: 'stock', description: '' })];
const idOf = (halted: RunResult) => halted.pending?.id ?? '';
/** Calls `stock` when the last user message says so, and otherwise counts the messages. */
const clerk = ({ messages }: GenerateRequest) => {
  const last = messages.at(-1);
  if (last?.role === 'user' && last.content === 'stock?') return calling(['stock']);
  return { content: `${messages.length}` };
};

describe('ask', () => {
  test('R39: a conversation remembers, each ask is a run, and two conversations share nothing', async () => {
    const client = createInProcessClient({ generate: clerk });
    const first = await client.ask('a', 'hello');
    const second = await client.ask('a', 'again');
    expect([first.runId, second.runId]).toEqual(['a/1', 'a/2']);
    expect([first.text, second.text]).toEqual(['1', '3']);
    expect(second.messages).toHaveLength(4);
    expect(second.turns).toBe(1);
    expect((await client.ask('b', 'hello')).text).toBe('1');
  });

  test('R39: askWithAnswer resumes the halt with the tools of the ask', async () => {
    const client = createInProcessClient({ generate: clerk });
    await client.ask('a', 'hello');
    const halted = await client.ask('a', 'stock?', stock);
    expect(halted).toMatchObject({ status: 'pending', runId: 'a/2' });
    expect(halted.toolCalls).toHaveLength(1);
    const done = await client.askWithAnswer('a', answerOutput(idOf(halted), '12'));
    expect(done).toMatchObject({ status: 'done', text: '5', runId: 'a/2' });
    expect(done.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(done.toolCalls).toEqual([{ id: 'c1', name: 'stock', args: {}, output: '12', isError: false }]);
    expect((await client.ask('a', 'more')).text).toBe('7');
  });

  test('R29: a repeat changes nothing and gives the result; a second answer is refused, after the end as well', async () => {
    const generate = jest.fn(clerk);
    const client = createInProcessClient({ generate });
    const halted = await client.ask('a', 'stock?', stock);
    const answer = answerOutput(idOf(halted), '12');
    const done = await client.askWithAnswer('a', answer);
    expect(await client.askWithAnswer('a', answer)).toEqual(done);
    await client.ask('a', 'more');
    await client.askWithAnswer('a', answer);
    expect(generate).toHaveBeenCalledTimes(3);
    const send = (given: Answer) => client.askWithAnswer('a', given);
    await expect(send(answerOutput(idOf(halted), '13'))).rejects.toThrow(
      holdpointError('Holdpoint.Answer.AlreadyAnswered'),
    );
    await expect(send({ id: 'never', ok: true })).rejects.toThrow(
      holdpointError('Holdpoint.Answer.RunClosed'),
    );
  });

  test('R40: an ask while it waits is refused as Pending', async () => {
    const client = createInProcessClient({ generate: clerk });
    const halted = await client.ask('a', 'stock?', stock);
    await expect(client.ask('a', 'well?')).rejects.toThrow(
      holdpointError('Holdpoint.Conversation.Pending', /whilePending/, { requestId: idOf(halted) }),
    );
    expect((await client.askWithAnswer('a', answerOutput(idOf(halted), '1'))).messages).toHaveLength(4);
  });

  test('R40: whilePending queue runs after it', async () => {
    const client = createInProcessClient({ generate: clerk });
    const halted = await client.ask('a', 'stock?', stock);
    const queued = client.ask('a', 'well?', stock, { whilePending: 'queue' });
    const resumed = await client.askWithAnswer('a', answerOutput(idOf(halted), '1'));
    expect(resumed.messages).toHaveLength(4);
    expect(await queued).toMatchObject({ runId: 'a/2', text: '5' });
  });

  test('R40: whilePending decline declines the open requests first', async () => {
    const client = createInProcessClient({ generate: clerk });
    const halted = await client.ask('a', 'stock?', stock);
    const next = await client.ask('a', 'forget it', stock, { whilePending: 'decline' });
    expect(next).toMatchObject({ runId: 'a/2', status: 'done' });
    expect(next.messages[2]).toMatchObject({ content: `declined/expired: ${halted.pending?.prompt ?? ''}` });
    await expect(client.askWithAnswer('a', answerOutput(idOf(halted), '1'))).rejects.toThrow(
      holdpointError('Holdpoint.Answer.AlreadyAnswered'),
    );
  });

  test('R39: asks of one conversation run one after the other, in order', async () => {
    const running: string[] = [];
    const client = createInProcessClient({
      generate: async ({ messages }) => {
        const said = JSON.stringify(messages.at(-1)?.content);
        running.push(`> ${said}`);
        await Promise.resolve();
        running.push(`< ${said}`);
        return { content: said };
      },
    });
    await Promise.all(['1', '2', '3'].map((text) => client.ask('a', text)));
    expect(running).toEqual(['> "1"', '< "1"', '> "2"', '< "2"', '> "3"', '< "3"']);
  });

  test('R39: at most 100 asks wait', async () => {
    const client = createInProcessClient({ generate: clerk });
    await client.ask('a', 'stock?', stock);
    const wait = () => client.ask('a', 'x', [], { whilePending: 'queue' });
    const waiting = Array.from({ length: 100 }, wait).map((one) => one.catch((error: unknown) => error));
    await expect(wait()).rejects.toThrow(holdpointError('Holdpoint.Conversation.QueueFull'));
    client.erase('a');
    expect(await Promise.all(waiting)).toEqual(
      Array(100).fill(holdpointError('Holdpoint.Conversation.Closed', /erased/)),
    );
  });

  test('R39: a failed ask leaves a balanced transcript that the next one continues', async () => {
    const broken = defineTool({ name: 'broken', description: '', execute: () => 'x' });
    const client = createInProcessClient({
      generate: inOrder(
        calling(['broken']),
        () => {
          throw new Error('provider down');
        },
        (request) => ({ content: `saw ${outputsIn(request).length}` }),
      ),
    });
    const failed = await client.ask('a', 'go', [broken]);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('provider down') as string },
    });
    expect(failed.messages).toHaveLength(3);
    expect(await client.ask('a', 'and now?')).toMatchObject({ status: 'done', text: 'saw 1' });
  });

  test('R40: a cancelled ask ends alone; the next has a fresh signal', async () => {
    const signals: AbortSignal[] = [];
    const controller = new AbortController();
    const client = createInProcessClient({
      generate: ({ signal }) => {
        signals.push(signal);
        if (signals.length > 1) return { content: 'fine' };
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    const cancelled = await client.ask('a', 'go', [], { signal: controller.signal });
    expect(cancelled.status).toBe('cancelled');
    expect(await client.ask('a', 'again')).toMatchObject({ status: 'done', text: 'fine' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('R39: giving up in the queue asks nothing', async () => {
    const client = createInProcessClient({ generate: clerk });
    const halted = await client.ask('a', 'stock?', stock);
    const controller = new AbortController();
    const queued = client.ask('a', 'well?', [], { whilePending: 'queue', signal: controller.signal });
    controller.abort(new Error('no patience'));
    await expect(queued).rejects.toThrow('no patience');
    await client.askWithAnswer('a', answerDeclined(idOf(halted)));
    expect((await client.ask('a', 'next')).messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  test('R30: an answer while the ask still runs reaches it', async () => {
    let answerNow = () => {};
    const client = createInProcessClient({
      generate: clerk2(),
      onEvent: (event) => {
        if (event.type === 'request')
          answerNow = () => void client.askWithAnswer('a', answerOutput(event.requestId, '7'));
      },
    });
    const slow = defineTool({
      name: 'slow',
      description: '',
      execute: async () => {
        // The relay request is open already, beside this call.
        answerNow();
        await Promise.resolve();
        return 'slow';
      },
    });
    const done = await client.ask('a', 'go', [slow, ...stock]);
    expect(done).toMatchObject({ status: 'done', text: 'slow,7' });
  });

  test('R26, R30: such an answer lets its call go on beside calls that still run; its signal cancels the run', async () => {
    const client = createInProcessClient({
      generate: inOrder(calling(['gate'], ['ask']), echo, calling(['gate'], ['ask'])),
      onEvent: (event) => {
        if (event.type === 'request') answerLater(event.requestId);
      },
    });
    let answerLater: (id: string) => void = () => undefined;
    let open: () => void = () => undefined;
    const gate = defineTool({
      name: 'gate',
      description: '',
      execute: (_, { signal }) =>
        new Promise((resolve, reject) => {
          open = () => resolve('opened');
          signal.addEventListener('abort', () => reject(new Error('shut')));
        }),
    });
    const ask = defineTool({
      name: 'ask',
      description: '',
      execute: (_, { answer }) => {
        if (!answer) return pending({ kind: 'question', prompt: '?' });
        open();
        return 'asked';
      },
    });
    const send = (options: object) => (id: string) =>
      // Once the loop waits again, so that only the answer can wake it.
      void setImmediate(() => void client.askWithAnswer('a', { id, ok: true }, options));
    answerLater = send({});
    expect(await client.ask('a', 'go', [gate, ask])).toMatchObject({ status: 'done', text: 'opened,asked' });
    answerLater = send({ signal: AbortSignal.abort() });
    expect(await client.ask('a', 'go', [gate, ask])).toMatchObject({ status: 'cancelled' });
  });

  test('R39: a request id that a tool sets is unique within the conversation', async () => {
    const ask = defineTool({
      name: 'ask',
      description: '',
      execute: (_, { answer }) => (answer ? 'ok' : pending({ id: 'mine', kind: 'question', prompt: '?' })),
    });
    const client = createInProcessClient({
      generate: inOrder(calling(['ask']), { content: '' }, calling(['ask']), { content: 'end' }),
    });
    const first = await client.ask('a', 'go', [ask]);
    const before = JSON.stringify(first);
    await client.askWithAnswer('a', { id: 'mine', ok: true });
    const second = await client.ask('a', 'go', [ask]);
    expect(idOf(first)).toBe('mine');
    expect(idOf(second)).toMatch(/^req_/);
    expect(await client.askWithAnswer('a', { id: idOf(second), ok: true })).toMatchObject({ text: 'end' });
    // What the caller holds of a halt is a copy.
    expect(JSON.stringify(first)).toBe(before);
  });

  test('wrong ids and inputs are refused at once', async () => {
    const client = createInProcessClient({ generate: clerk });
    const invalid = holdpointError('Holdpoint.Run.InvalidInput');
    await expect(client.ask('a/b', 'x')).rejects.toThrow(invalid);
    await expect(client.ask('', 'x')).rejects.toThrow(invalid);
    await expect(client.ask('a', [] as never)).rejects.toThrow(invalid);
    await expect(client.ask('a', 'x', [], { limits: { maxTurns: 0 } })).rejects.toThrow(invalid);
    await expect(client.askWithAnswer('none', { id: 'r', ok: true })).rejects.toThrow(
      holdpointError('Holdpoint.Conversation.NotFound'),
    );
    expect((await client.ask('a', 'x')).runId).toBe('a/1');
  });
});

function clerk2() {
  return inOrder(calling(['slow'], ['stock']), (request) => ({ content: outputsIn(request).join(',') }));
}
