/** The scenarios of the reference page on `wait_for`, in process. */
import { pending, type Answer, type CustomTool, type Request } from '../../src';
import { createInProcessClient } from '../../src/in-process';
import { calling, echo, inOrder } from '../support/in-process';

/** A tool written as a literal whose suspension is the whole result. */
const deleteAccount = (id: string): CustomTool => ({
  name: 'delete_account',
  description: "delete the user's account",
  inputSchema: { type: 'object', properties: {} },
  source: 'custom',
  execute: (_, ctx) =>
    ctx.answer
      ? { output: 'account deleted', isError: false }
      : {
          output: 'approval required',
          isError: true,
          metadata: { pending: { id, kind: 'authorization', prompt: 'Delete this account?' } },
        },
});

describe('a suspension', () => {
  test('R26: without waitFor the run halts with the tool’s own request', async () => {
    const client = createInProcessClient({ generate: inOrder(calling(['delete_account'])) });
    const result = await client.run('delete my account', [deleteAccount('req-1')]);
    expect(result.status).toBe('pending');
    expect(result.pending).toEqual({ id: 'req-1', kind: 'authorization', prompt: 'Delete this account?' });
    expect(result.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'Delete this account?',
    });
  });

  test('R28, R32: with waitFor the tool runs again with the answer and the run completes', async () => {
    const client = createInProcessClient({
      generate: inOrder(calling(['delete_account']), { content: 'done — account deleted' }),
      waitFor: ({ id }) => ({ id, ok: true }),
    });
    const result = await client.run('delete my account', [deleteAccount('req-2')]);
    expect(result).toMatchObject({ status: 'done', text: 'done — account deleted' });
    expect(result.toolCalls).toEqual([
      { id: 'c1', name: 'delete_account', args: {}, output: 'account deleted', isError: false },
    ]);
    expect(result.receipts).toEqual([expect.objectContaining({ requestId: 'req-2', via: 'waitFor' })]);
  });

  test('R25: a denial feeds back as an error, the tool does not run again and the model goes on', async () => {
    const tool = deleteAccount('req-3');
    const execute = jest.fn(tool.execute);
    const client = createInProcessClient({
      generate: inOrder(calling(['delete_account']), { content: "understood, I won't delete it" }),
      waitFor: ({ id }) => ({ id, ok: false, reason: 'user declined' }),
    });
    const result = await client.run('delete my account', [{ ...tool, execute }]);
    expect(result).toMatchObject({ status: 'done', text: "understood, I won't delete it" });
    expect(result.toolCalls).toEqual([
      {
        id: 'c1',
        name: 'delete_account',
        args: {},
        output: 'declined/expired: Delete this account?\nreason: user declined',
        isError: true,
      },
    ]);
    expect(execute).toHaveBeenCalledTimes(1);
  });
});

describe('waitFor', () => {
  const asking = (prompt: string, name = 'ask'): CustomTool => ({
    name,
    description: '',
    execute: (_, { answer }) =>
      answer
        ? { output: `${name} ${JSON.stringify(answer.data)}`, isError: false }
        : pending({ kind: 'question', prompt }),
  });
  const twoCalls = () => inOrder(calling(['a'], ['b']), echo);
  const both = [asking('A?', 'a'), asking('B?', 'b')];

  test('R32: each suspending call asks once, concurrently', async () => {
    const asked: Request[] = [];
    let release = () => {};
    const bothAsked = new Promise<void>((resolve) => (release = resolve));
    const client = createInProcessClient({
      generate: twoCalls(),
      waitFor: async (request, ctx) => {
        asked.push(request);
        expect(ctx).toMatchObject({ agent: 'in-process', runId: expect.stringMatching(/^run_/) as string });
        if (asked.length === 2) release();
        await bothAsked;
        return { id: request.id, ok: true, data: { prompt: request.prompt } };
      },
    });
    const result = await client.run('go', both);
    expect(result.text).toBe('a {"prompt":"A?"},b {"prompt":"B?"}');
    expect(asked.map(({ prompt }) => prompt)).toEqual(['A?', 'B?']);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
  });

  test.each<[string, () => Answer, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('inbox unreachable');
      },
      /inbox unreachable/,
    ],
    ['answers another request', () => ({ id: 'other', ok: true }), /asked about request/],
    ['answers nothing', () => undefined as never, /answer object/],
    [
      'answers without a boolean ok',
      ({ id }: Request = { id: '' } as Request) => ({ id, ok: 'true' as never }),
      /`ok`/,
    ],
  ])(
    'R32: a waitFor that %s fails the run with that error; the transcript stays balanced',
    async (_, waitFor, message) => {
      const client = createInProcessClient({ generate: twoCalls(), waitFor });
      const result = await client.run('go', both);
      expect(result.status).toBe('failed');
      expect(result.error?.type).toMatch(/^Holdpoint\.(Run\.WaitForFailed|Answer\.)/);
      expect(result.error?.message).toMatch(message);
      expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    },
  );

  test('R32: one that takes too long is dropped: its signal aborts and the run halts with the request', async () => {
    let signal: AbortSignal | undefined;
    const client = createInProcessClient({
      generate: inOrder(calling(['ask']), echo),
      waitForTimeoutMs: 10,
      waitFor: (_, ctx) => {
        signal = ctx.signal;
        return new Promise(() => undefined);
      },
    });
    const halted = await client.run('go', [asking('Well?')]);
    expect(halted).toMatchObject({ status: 'pending', pending: { prompt: 'Well?' } });
    expect(signal?.aborted).toBe(true);
    const done = await client.runWithAnswer(
      halted,
      { id: halted.pending?.id ?? '', ok: true, data: { n: 0 } },
      { toolkit: [asking('Well?')] },
    );
    expect(done.text).toBe('ask {"n":0}');
  });

  test('R31: a deadline that comes while a host is asked declines the request', async () => {
    const tool: CustomTool = {
      name: 'ask',
      description: '',
      execute: () =>
        pending({ kind: 'question', prompt: 'Soon?', expiresAt: new Date(Date.now() + 20).toISOString() }),
    };
    let dropped = false;
    const client = createInProcessClient({
      generate: inOrder(calling(['ask']), echo),
      waitFor: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (dropped = true))),
    });
    const result = await client.run('go', [tool]);
    expect(result).toMatchObject({ status: 'done', text: 'declined/expired: Soon?' });
    expect(result.receipts).toEqual([expect.objectContaining({ ok: false, via: 'expiry' })]);
    expect(dropped).toBe(true);
  });

  test('R36: what waitFor takes is not active time', async () => {
    const client = createInProcessClient({
      generate: inOrder(calling(['ask']), echo),
      waitFor: async ({ id }) => {
        // Longer than the whole run may be active.
        await new Promise((resolve) => setTimeout(resolve, 400));
        return { id, ok: true };
      },
    });
    const result = await client.run('go', [asking('Well?')], { limits: { timeoutMs: 300 } });
    expect(result.status).toBe('done');
  });
});
