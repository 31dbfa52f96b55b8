import {
  answerDeclined,
  answerOutput,
  defineAgent,
  defineTool,
  pending,
  relayAnswer,
  relayTool,
  type Answer,
  type CustomTool,
  type RunResult,
} from '../../src';
import { createInProcessClient, type Halted } from '../../src/in-process';
import { calling, echo, inOrder } from '../support/in-process';
import { holdpointError } from '../support/matchers';

const ask = (name: string, more: object = {}): CustomTool => ({
  name,
  description: '',
  execute: (_, { answer }) =>
    answer
      ? { output: `${name}:${JSON.stringify(answer.data ?? null)}`, isError: false }
      : pending({ kind: 'question', prompt: `${name}?`, ...more }),
});
const relay = relayTool({ name: 'relay', description: '' });
const ok = (halted: RunResult, at = 0, data?: Answer['data']): Answer => ({
  id: halted.requests?.[at]?.id ?? '',
  ok: true,
  ...(data && { data }),
});
const reread = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const onlyMessages = ({ messages, pending: request }: RunResult): Halted =>
  reread({ messages, pending: request as NonNullable<typeof request> });

describe('a halted run', () => {
  const toolkit = [ask('a'), ask('b'), relay];
  const start = async () => {
    const client = createInProcessClient({ generate: inOrder(calling(['a'], ['relay'], ['b']), echo) });
    return { client, halted: await client.run('go', toolkit) };
  };

  test('R26: requests are listed in call order and may be answered in any', async () => {
    const { client, halted } = await start();
    expect(halted.requests?.map(({ kind }) => kind)).toEqual(['question', 'tool_call', 'question']);
    expect(halted.pending).toEqual(halted.requests?.[0]);
    const second = await client.runWithAnswer(halted, ok(halted, 2, { n: 0 }), { toolkit });
    expect(second).toMatchObject({ status: 'pending', turns: 1, runId: halted.runId });
    expect(second.requests).toEqual(halted.requests?.slice(0, 2));
    const third = await client.runWithAnswer(second, answerOutput(ok(halted, 1).id, ''), { toolkit });
    const done = await client.runWithAnswer(third, ok(halted, 0, { n: null }), { toolkit });
    expect(done).toMatchObject({
      status: 'done',
      text: 'a:{"n":null},,b:{"n":0}',
      turns: 2,
      toolCallCount: 3,
    });
    expect(done.receipts?.map(({ requestId }) => requestId)).toEqual(
      [2, 1, 0].map((at) => ok(halted, at).id),
    );
  });

  test('R46: what the caller holds is plain JSON, is not changed, and works in another client', async () => {
    const { halted } = await start();
    const before = reread(halted);
    expect(before).toEqual(halted);
    const other = createInProcessClient({ generate: inOrder(echo) });
    const next = await other.runWithAnswer(before, ok(halted), { toolkit });
    expect(before).toEqual(halted);
    expect(next.toolCalls[0]).toMatchObject({ output: 'a:null', isError: false });
    expect(next.usage).toEqual(halted.usage);
  });

  test('R46: one client refuses a request that it has resolved, from whatever copy; nothing runs twice', async () => {
    const execute = jest.fn(ask('a').execute);
    const tools = [{ ...ask('a'), execute }];
    const client = createInProcessClient({ generate: inOrder(calling(['a']), echo, echo) });
    const halted = await client.run('go', tools);
    await client.runWithAnswer(halted, ok(halted), { toolkit: tools });
    for (const copy of [halted, reread(halted), onlyMessages(halted)])
      await expect(client.runWithAnswer(copy, ok(halted), { toolkit: tools })).rejects.toThrow(
        holdpointError('Holdpoint.Answer.AlreadyAnswered', /another copy/),
      );
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test('R10, R46: a tool’s own request id may be used by other runs of the client', async () => {
    const tools = [ask('a', { id: 'mine' })];
    const client = createInProcessClient({ generate: inOrder(calling(['a']), calling(['a']), echo, echo) });
    const first = await client.run('one', tools);
    const second = await client.run('two', tools);
    expect([first.pending?.id, second.pending?.id]).toEqual(['mine', 'mine']);
    expect((await client.runWithAnswer(first, ok(first), { toolkit: tools })).status).toBe('done');
    expect((await client.runWithAnswer(second, ok(second), { toolkit: tools })).status).toBe('done');
    await expect(client.runWithAnswer(second, ok(second), { toolkit: tools })).rejects.toThrow(
      /another copy/,
    );
  });

  test('R46: also a tool’s own id is refused when the run comes back as messages and request', async () => {
    const tools = [ask('a', { id: 'mine' })];
    const client = createInProcessClient({ generate: inOrder(calling(['a']), echo) });
    const halted = await client.run('go', tools);
    await client.runWithAnswer(halted, ok(halted), { toolkit: tools });
    await expect(client.runWithAnswer(onlyMessages(halted), ok(halted), { toolkit: tools })).rejects.toThrow(
      /another copy/,
    );
  });

  test('R46: and a generated one when the whole result comes after messages and request', async () => {
    const tools = [ask('a')];
    const client = createInProcessClient({ generate: inOrder(calling(['a']), echo) });
    const halted = await client.run('go', tools);
    await client.runWithAnswer(onlyMessages(halted), ok(halted), { toolkit: tools });
    await expect(client.runWithAnswer(halted, ok(halted), { toolkit: tools })).rejects.toThrow(
      /another copy/,
    );
  });

  test.each([{}, { id: 'mine' }])(
    'R29: two answers from the same state at once: one wins %j',
    async (own) => {
      const execute = jest.fn(ask('a', own).execute);
      const tools = [{ ...ask('a'), execute }];
      const client = createInProcessClient({ generate: inOrder(calling(['a']), echo) });
      const halted = await client.run('go', tools);
      const both = await Promise.allSettled(
        [ok(halted), answerDeclined(ok(halted).id)].map((answer) =>
          client.runWithAnswer(halted, answer, { toolkit: tools }),
        ),
      );
      expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(execute).toHaveBeenCalledTimes(2);
    },
  );

  test('R29: a repeat within one state gives the state as it is; the same id with other content is refused', async () => {
    const { client, halted } = await start();
    const answer = { ...ok(halted, 2), answerId: 'x' };
    const next = await client.runWithAnswer(halted, answer, { toolkit });
    expect(await client.runWithAnswer(next, answer, { toolkit })).toEqual(next);
    const send = (given: Answer) => client.runWithAnswer(next, given, { toolkit });
    await expect(send({ ...answer, ok: false })).rejects.toThrow(
      holdpointError('Holdpoint.Answer.AnswerIdReused'),
    );
    await expect(send({ ...ok(halted, 2), reason: 'other' })).rejects.toThrow(
      holdpointError('Holdpoint.Answer.AlreadyAnswered'),
    );
  });

  test('R24, R30: a refused answer changes nothing', async () => {
    const { client, halted } = await start();
    const send = (given: unknown) => client.runWithAnswer(halted, given as Answer, { toolkit });
    const refused = async (given: unknown, type: Parameters<typeof holdpointError>[0]) =>
      expect(send(given)).rejects.toThrow(holdpointError(type));
    const relayed = ok(halted, 1).id;
    await refused(undefined, 'Holdpoint.Answer.Malformed');
    await refused({ id: relayed, ok: 'yes' }, 'Holdpoint.Answer.Malformed');
    await refused({ id: relayed, ok: true, data: { output: 10n } }, 'Holdpoint.Answer.Malformed');
    await refused({ id: relayed, ok: true }, 'Holdpoint.Answer.Malformed');
    await refused(relayAnswer(relayed, [{ id: 'c9', output: '' }]), 'Holdpoint.Answer.UnknownCall');
    await refused(ok(halted, 9), 'Holdpoint.Answer.Malformed');
    await refused({ id: 'req_other_1_0', ok: true }, 'Holdpoint.Answer.UnknownRequest');
    expect((await send(ok(halted))).status).toBe('pending');
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /result of a run/],
    ['a text', 'halted', /result of a run/],
    ['no messages', { pending: { id: 'r', kind: 'k', prompt: 'p' } }, /no `messages`/],
    ['no request', { messages: [] }, /`pending` is no request/],
    [
      'messages that end elsewhere',
      { messages: [{ role: 'user', content: 'x' }], pending: { id: 'r', kind: 'k', prompt: 'p' } },
      /No call of its last message waits/,
    ],
    [
      'one of several requests',
      { messages: [], pending: { id: 'r', kind: 'k', prompt: 'p' }, requests: [{}, {}] },
      /Several requests are open/,
    ],
    ['another version’s state', { messages: [], resume: { run: { schema: 2 } } }, /not made by this version/],
  ])('R46: %s is no halted run, said clearly', async (_, halted, message) => {
    const client = createInProcessClient({ generate: inOrder() });
    await expect(client.runWithAnswer(halted as Halted, { id: 'r', ok: true })).rejects.toThrow(
      holdpointError('Holdpoint.Run.InvalidInput', message),
    );
  });

  test('R29: a run that has ended takes no answer', async () => {
    const client = createInProcessClient({ generate: inOrder({ content: 'done' }) });
    const done = await client.run('go');
    await expect(client.runWithAnswer(done, { id: 'r', ok: true })).rejects.toThrow(
      holdpointError('Holdpoint.Answer.RunClosed', /ended as done/),
    );
  });

  test('R27: the system prompt is resolved once and kept with the run', async () => {
    const instructions = jest.fn(() => 'Be kind.');
    const agent = defineAgent({ name: 'desk', model: 'm', instructions, tools: [ask('a')] });
    const prompts: unknown[] = [];
    const client = createInProcessClient({
      generate: ({ messages }) => {
        prompts.push(messages[0]);
        return messages.length > 2 ? { content: 'done' } : calling(['a']);
      },
    });
    const halted = reread(await client.run('go', agent));
    await client.runWithAnswer(halted, ok(halted), { toolkit: agent });
    expect(instructions).toHaveBeenCalledTimes(1);
    expect(prompts).toEqual(Array(2).fill({ role: 'system', content: 'Be kind.' }));
  });
});

describe('deadlines of a saved run', () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();
  const halt = async (tool: CustomTool, generate = inOrder(calling(['a']), echo)) => {
    const client = createInProcessClient({ generate });
    return { client, halted: await client.run('go', [tool]) };
  };
  const later = (ms: number) =>
    jest.useFakeTimers({ now: Date.now() + ms, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  afterEach(() => jest.useRealTimers());

  test('R31: an approval past its deadline is refused, and a decline lets the run learn of the expiry', async () => {
    const tool = ask('a', { kind: 'approval', expiresAt: soon() });
    const { client, halted } = await halt(tool);
    later(61_000);
    await expect(client.runWithAnswer(halted, ok(halted), { toolkit: [tool] })).rejects.toThrow(
      holdpointError('Holdpoint.Answer.Expired'),
    );
    const done = await client.runWithAnswer(halted, answerDeclined(ok(halted).id, 'late'), {
      toolkit: [tool],
    });
    expect(done).toMatchObject({ status: 'done', text: 'declined/expired: a?' });
    expect(done.receipts).toEqual([expect.objectContaining({ via: 'expiry' })]);
  });

  test('R31: another kind’s late answer wins, and its receipt says so', async () => {
    const tool = ask('a', { expiresAt: soon() });
    const { client, halted } = await halt(tool);
    later(61_000);
    const done = await client.runWithAnswer(halted, ok(halted), { toolkit: [tool] });
    expect(done.text).toBe('a:null');
    expect(done.receipts).toEqual([expect.objectContaining({ late: true })]);
  });

  test('R31: answering one request expires the others whose time has come', async () => {
    const tools = [ask('a'), ask('b', { kind: 'approval', expiresAt: soon() })];
    const client = createInProcessClient({ generate: inOrder(calling(['a'], ['b']), echo) });
    const halted = await client.run('go', tools);
    later(61_000);
    const done = await client.runWithAnswer(halted, ok(halted), { toolkit: tools });
    expect(done.text).toBe('a:null,declined/expired: b?');
  });
});

describe('a run rebuilt from messages and request', () => {
  test('R46: a relay request goes on with all results in place', async () => {
    const local = defineTool({ name: 'local', description: '', execute: () => 'here' });
    const toolkit = [local, relay];
    const client = createInProcessClient({
      generate: inOrder(calling(['local'], ['relay'], ['relay']), echo),
    });
    const halted = await client.run('go', toolkit);
    const results = [
      { id: 'c2', output: 'x' },
      { id: 'c3', output: 'y', isError: true },
    ];
    const done = await client.runWithAnswer(onlyMessages(halted), relayAnswer(ok(halted).id, results), {
      toolkit,
    });
    expect(done).toMatchObject({ status: 'done', text: 'here,x,y', turns: 2, toolCallCount: 3 });
    expect(done.messages).toEqual([
      ...halted.messages.slice(0, 3),
      { role: 'tool', tool_call_id: 'c2', content: 'x' },
      { role: 'tool', tool_call_id: 'c3', content: 'y' },
      { role: 'assistant', content: 'here,x,y' },
    ]);
    expect(done.toolCalls[2]).toMatchObject({ isError: true });
  });

  test('R23, R46: only the calls that still show the placeholder wait', async () => {
    const client = createInProcessClient({ generate: inOrder(calling(['relay'], ['relay']), echo) });
    const halted = await client.run('go', [relay]);
    const id = ok(halted).id;
    const half = await client.runWithAnswer(halted, relayAnswer(id, [{ id: 'c1', output: 'x' }]), {
      toolkit: [relay],
    });
    const saved = onlyMessages(half);
    await expect(
      client.runWithAnswer(saved, relayAnswer(id, [{ id: 'c1', output: 'again' }]), { toolkit: [relay] }),
    ).rejects.toThrow(holdpointError('Holdpoint.Answer.AlreadyAnswered'));
    expect((await client.runWithAnswer(saved, answerOutput(id, 'y'), { toolkit: [relay] })).text).toBe('x,y');
  });

  test('R28, R46: a tool’s suspension runs it with the answer; suspending again is unresolved', async () => {
    const once = createInProcessClient({ generate: inOrder(calling(['a']), echo) });
    // A tool's own approval is a suspension like any, not one that the run asked for.
    const own = ask('a', { kind: 'approval' });
    const halted = await once.run('go', [own]);
    const done = await once.runWithAnswer(onlyMessages(halted), ok(halted, 0, { yes: true }), {
      toolkit: [own],
    });
    expect(done.text).toBe('a:{"yes":true}');

    const stubborn: CustomTool = {
      ...ask('s'),
      execute: () => pending({ kind: 'question', prompt: 'Again?' }),
    };
    const client = createInProcessClient({ generate: inOrder(calling(['s']), echo) });
    const first = await client.run('go', [stubborn]);
    const end = await client.runWithAnswer(onlyMessages(first), ok(first), { toolkit: [stubborn] });
    expect(end.text).toBe('unresolved: Again?');
  });

  test('R28, R46: an approval runs the tool for the first time, without an answer', async () => {
    const seen: unknown[] = [];
    const pay = defineTool({
      name: 'pay',
      description: '',
      needsApproval: true,
      execute: (args, { answer }) => {
        seen.push(args, answer);
        return 'paid';
      },
    });
    const hooks = { beforeTool: () => ({ input: { amount: 5 } }) };
    const client = createInProcessClient({ generate: inOrder(calling(['pay', { amount: 1 }]), echo), hooks });
    const halted = await client.run('go', [pay]);
    const done = await client.runWithAnswer(onlyMessages(halted), ok(halted), { toolkit: [pay] });
    expect(done.text).toBe('paid');
    expect(seen).toEqual([{ amount: 5 }, undefined]);
  });

  test('R46: calls that cannot be told apart, and a tool that is missing, are said', async () => {
    const client = createInProcessClient({ generate: inOrder(calling(['a'], ['a'])) });
    const halted = await client.run('go', [ask('a')]);
    await expect(
      client.runWithAnswer(onlyMessages(halted), ok(halted), { toolkit: [ask('a')] }),
    ).rejects.toThrow(/save the whole result/);
    const alone = createInProcessClient({ generate: inOrder(calling(['a'])) });
    const one = await alone.run('go', [ask('a')]);
    await expect(alone.runWithAnswer(onlyMessages(one), ok(one))).rejects.toThrow(
      /needs a tool that was not given/,
    );
  });
});
