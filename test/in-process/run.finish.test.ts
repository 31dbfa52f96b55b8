import { z } from 'zod';
import { createToolkit, defineAgent, defineTool, pending, relayTool, type RunEvent } from '../../src';
import { createInProcessClient, type InProcessOptions } from '../../src/in-process';
import { calling, echo, inOrder } from '../support/in-process';
import { containing, holdpointError, matching } from '../support/matchers';

const local = defineTool({ name: 'local', description: '', execute: () => 'x' });
const always = () => calling(['local']);

describe('how a run ends', () => {
  test('R13, R35: no calls means done, with everything counted', async () => {
    const client = createInProcessClient({
      generate: inOrder(calling(['local']), { content: 'bye', usage: { inputTokens: 2, outputTokens: 3 } }),
    });
    const result = await client.run('go', [local]);
    expect(result).toEqual({
      runId: matching(/^run_/),
      status: 'done',
      text: 'bye',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'local', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
        { role: 'assistant', content: 'bye' },
      ],
      toolCalls: [{ id: 'c1', name: 'local', args: {}, output: 'x', isError: false }],
      toolCallCount: 1,
      turns: 2,
      usage: { inputTokens: 6, outputTokens: 7, totalTokens: 13 },
      model: 'in-process',
      receipts: [],
    });
  });

  test('R36: the turn limit ends it as incomplete, balanced; an agent’s limit holds unless the run has one', async () => {
    const client = createInProcessClient({ generate: always });
    expect(await client.run('go', [local])).toMatchObject({
      status: 'incomplete',
      limit: 'maxTurns',
      turns: 10,
    });
    const agent = defineAgent({ name: 'a', model: 'm', tools: [local], limits: { maxTurns: 2 } });
    const two = await client.run('go', agent);
    expect(two).toMatchObject({ turns: 2, text: '' });
    expect(two.messages.at(-1)).toMatchObject({ role: 'tool' });
    expect(await client.run('go', agent, { limits: { maxTurns: 3 } })).toMatchObject({ turns: 3 });
  });

  test('R36: active time is limited', async () => {
    const hang = defineTool({
      name: 'local',
      description: '',
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    });
    const client = createInProcessClient({ generate: always });
    const result = await client.run('go', [hang], { limits: { timeoutMs: 30 } });
    expect(result).toMatchObject({ status: 'incomplete', limit: 'timeoutMs' });
    expect(result.toolCalls[0]).toMatchObject({ output: 'stopped', isError: true });
  });

  test('R34: a signal that has aborted starts nothing; one that aborts later ends the run, model call included', async () => {
    const generate = jest.fn(() => new Promise<never>(() => undefined));
    const client = createInProcessClient({ generate });
    expect(await client.run('go', [], { signal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
      turns: 0,
    });
    expect(generate).not.toHaveBeenCalled();
    const controller = new AbortController();
    const running = client.run('go', [], { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ status: 'cancelled' });
  });

  test('R34: aborting while resuming closes the requests and balances the transcript', async () => {
    const relay = relayTool({ name: 'relay', description: '' });
    const ask = defineTool({
      name: 'ask',
      description: '',
      execute: (_, { answer }) => (answer ? 'ok' : pending({ kind: 'question', prompt: '?' })),
    });
    const client = createInProcessClient({ generate: inOrder(calling(['ask'], ['relay'])) });
    const halted = await client.run('go', [ask, relay]);
    const answer = { id: halted.pending?.id ?? '', ok: true };
    const result = await client.runWithAnswer(halted, answer, {
      toolkit: [ask, relay],
      signal: AbortSignal.abort(),
    });
    expect(result.status).toBe('cancelled');
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(result).not.toHaveProperty('requests');
  });

  test('R35: an agent’s output schema is read; a text that is not of it fails the run', async () => {
    const agent = defineAgent({ name: 'a', model: 'm', outputSchema: z.object({ n: z.number() }) });
    const run = (content: string) =>
      createInProcessClient({ generate: inOrder({ content }) }).run('go', agent);
    expect(await run('{"n":1}')).toMatchObject({ status: 'done', output: { n: 1 } });
    expect(await run('one')).toMatchObject({
      status: 'failed',
      error: { type: 'Holdpoint.Run.OutputInvalid' },
    });
  });

  test.each<[string, unknown, string, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no model');
      },
      'Holdpoint.Model.Failed',
      /`generate` failed: no model/,
    ],
    ['returns nothing', () => undefined, 'Holdpoint.Model.InvalidResponse', /to return \{content/],
    [
      'returns calls that are none',
      () => ({ toolCalls: [{}] }),
      'Holdpoint.Model.InvalidResponse',
      /toolCalls\[0\]/,
    ],
    [
      'returns content that is no text',
      () => ({ content: 5 }),
      'Holdpoint.Model.InvalidResponse',
      /`content`/,
    ],
  ])('R46: a generate that %s fails the run, and is not asked again', async (_, generate, type, message) => {
    const asked = jest.fn(generate as () => never);
    const result = await createInProcessClient({ generate: asked }).run('go');
    expect(result).toMatchObject({ status: 'failed', error: { type, message: matching(message) } });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('R18, R46: object arguments are serialised once, and that is the raw string', async () => {
    const relay = relayTool({ name: 'relay', description: '' });
    const client = createInProcessClient({
      generate: inOrder(calling(['relay', { b: 1, a: [0] }], ['relay', '{ "q":0}'])),
    });
    const halted = await client.run('go', [relay]);
    expect(halted.pending?.data?.['calls']).toEqual([
      { id: 'c1', name: 'relay', input: { b: 1, a: [0] }, arguments: '{"b":1,"a":[0]}' },
      { id: 'c2', name: 'relay', input: { q: 0 }, arguments: '{ "q":0}' },
    ]);
  });

  test('R16: a whole transcript can be the input; one with open calls is refused', async () => {
    const client = createInProcessClient({
      generate: (request) => ({ content: `${request.messages.length}` }),
    });
    const past = await client.run([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]);
    expect(past.text).toBe('3');
    const open = {
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: 'c', type: 'function' as const, function: { name: 'x', arguments: '{}' } }],
    };
    await expect(client.run([open])).rejects.toThrow(
      holdpointError('Holdpoint.Run.InvalidInput', /no result/),
    );
    await expect(client.run('x', [], { context: { n: 1n } as never })).rejects.toThrow(
      holdpointError('Holdpoint.Run.InvalidInput', /context/),
    );
  });

  test('R6: a closed toolkit starts no run', async () => {
    const toolkit = createToolkit();
    await toolkit.close();
    await expect(createInProcessClient({ generate: inOrder() }).run('x', toolkit)).rejects.toThrow(/closed/);
  });

  test.each<[string, object, RegExp]>([
    ['an unknown option', { waitfor: () => undefined }, /Unknown option `waitfor`/],
    ['a hook that is none', { hooks: { onTool: () => undefined } }, /Unknown hook `onTool`/],
    ['a waitFor that is no function', { waitFor: true }, /`waitFor` to be a function/],
    ['model and generate', { model: { generate: () => undefined }, generate: () => ({}) }, /one of them/],
    ['a negative time', { waitForTimeoutMs: 0 }, /waitForTimeoutMs/],
  ])('%s is refused when the client is made', (_, options, message) => {
    expect(() => createInProcessClient(options as InProcessOptions)).toThrow(
      holdpointError('Holdpoint.Client.InvalidOptions', message),
    );
  });
});

describe('approvals and hooks', () => {
  const pay = (execute = jest.fn(({ amount }: { amount: number }) => `paid ${amount}`)) =>
    defineTool({
      name: 'pay',
      description: 'Pays',
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: ({ amount }) => amount > 10,
      execute,
    });
  const start = async (
    amount: number,
    execute?: ReturnType<typeof jest.fn<string, [{ amount: number }]>>,
  ) => {
    const toolkit = [pay(execute)];
    const client = createInProcessClient({ generate: inOrder(calling(['pay', { amount }]), echo) });
    const halted = await client.run('go', toolkit);
    const answer = (data?: object) => ({
      id: halted.pending?.id ?? '',
      ok: true,
      ...(data && { data: data as never }),
    });
    return { with: { toolkit }, client, halted, answer };
  };

  test('R28: approved, the tool runs for the first time; below the threshold nobody is asked', async () => {
    expect((await start(5)).halted).toMatchObject({ status: 'done', text: 'paid 5' });
    const { client, halted, answer, with: options } = await start(50);
    expect(halted.pending).toMatchObject({ kind: 'approval', prompt: 'approve pay({"amount":50})' });
    expect(await client.runWithAnswer(halted, answer(), options)).toMatchObject({ text: 'paid 50' });
  });

  test('R28: declined, it does not run; with data.output that is the result', async () => {
    const execute = jest.fn<string, [{ amount: number }]>(() => 'paid');
    const declined = await start(50, execute);
    const no = { ...declined.answer(), ok: false };
    expect(await declined.client.runWithAnswer(declined.halted, no, declined.with)).toMatchObject({
      text: 'declined/expired: approve pay({"amount":50})',
    });
    const supplied = await start(50, execute);
    const given = supplied.answer({ output: 'paid in cash' });
    expect(await supplied.client.runWithAnswer(supplied.halted, given, supplied.with)).toMatchObject({
      text: 'paid in cash',
    });
    expect(execute).not.toHaveBeenCalled();
  });

  test('R28: edited arguments run, and the model is told; the predicate may ask once more', async () => {
    const low = await start(50);
    const done = await low.client.runWithAnswer(low.halted, low.answer({ input: { amount: 7 } }), low.with);
    expect(done.text).toMatch(/approver changed the arguments to \{"amount":7\}\.\npaid 7$/);
    expect(done.toolCalls[0]).toMatchObject({ args: { amount: 7 } });

    const high = await start(50);
    const again = await high.client.runWithAnswer(
      high.halted,
      high.answer({ input: { amount: 99 } }),
      high.with,
    );
    expect(again).toMatchObject({ status: 'pending', pending: { prompt: 'approve pay({"amount":99})' } });
    const final = await high.client.runWithAnswer(
      again,
      { id: again.pending?.id ?? '', ok: true },
      high.with,
    );
    expect(final.text).toContain('paid 99');
  });

  test('R42: hooks see every step and the result goes through afterTool, relayed or local', async () => {
    const relay = relayTool({ name: 'relay', description: '' });
    const afterTool = jest.fn((result: { output: string; isError: boolean }) => ({
      ...result,
      output: `<${result.output}>`,
    }));
    const client = createInProcessClient({
      generate: inOrder(calling(['local'], ['relay']), echo),
      hooks: { afterTool },
      waitFor: ({ id }) => ({ id, ok: true, data: { output: 'far' } }),
    });
    expect((await client.run('go', [local, relay])).text).toBe('<x>,<far>');
    expect(afterTool).toHaveBeenCalledTimes(2);
  });
});

describe('events', () => {
  test('R43, R44: one stream per run, positions going on across a resume; a suspension is no failure', async () => {
    const events: RunEvent[] = [];
    const relay = relayTool({ name: 'relay', description: '' });
    const ask = defineTool({
      name: 'ask',
      description: '',
      execute: (_, { answer }) => (answer ? 'ok' : pending({ kind: 'question', prompt: '?' })),
    });
    const client = createInProcessClient({
      generate: inOrder(calling(['ask'], ['relay', { secret: 1 }]), echo),
      onEvent: (event) => {
        events.push(event);
        throw new Error('a listener that throws');
      },
    });
    const tools = [ask, relay];
    const halted = await client.run('go', tools);
    const [first, second] = halted.requests ?? [];
    const half = await client.runWithAnswer(halted, { id: first?.id ?? '', ok: true }, { toolkit: tools });
    await client.runWithAnswer(
      half,
      { id: second?.id ?? '', ok: true, data: { output: 'far' } },
      { toolkit: tools },
    );
    expect(events.map(({ position }) => position)).toEqual(events.map((_, at) => at));
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set([halted.runId]));
    expect(events.map(({ type }) => type)).toEqual([
      'model',
      'request',
      'request',
      'tool',
      'answer',
      'tool',
      'answer',
      'model',
      'run',
    ]);
    const tool = { type: 'tool', name: 'ask', callId: 'c1', isError: false };
    expect(events[3]).toMatchObject({ ...tool, pending: true });
    expect(events[5]).toMatchObject({ ...tool, pending: false });
    expect(events[4]).toMatchObject({ requestId: first?.id, ok: true, resolved: true, via: 'call' });
    expect(events.at(-1)).toMatchObject({ type: 'run', status: 'done', turn: 2 });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('R7: the error of a tool names what was wrong', async () => {
    const client = createInProcessClient({ generate: inOrder(calling(['local', '{"'], ['gone']), echo) });
    const { toolCalls } = await client.run('go', [local]);
    expect(toolCalls).toEqual([
      { id: 'c1', name: 'local', args: '{"', output: containing('not valid JSON'), isError: true },
      { id: 'c2', name: 'gone', args: {}, output: 'Unknown tool: gone', isError: true },
    ]);
  });
});
