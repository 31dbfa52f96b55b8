import type { JsonObject } from '../../src/agent/json';
import type { FormAnswer, LegacyElicitation } from '../../src/mcp/client/legacy-elicitation';
import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { form } from './asking-tool';
import { rawServer } from './raw-server';

const opened: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of opened.splice(0)) await toolset.close();
});

/** What a server of an earlier revision is offered, and what it is told when it asks in the middle of a call. */
async function asked(
  legacyElicitation?: LegacyElicitation,
  { params = form.params, timeoutMs = 5_000 }: { params?: JsonObject; timeoutMs?: number } = {},
): Promise<{
  readonly offered: unknown;
  readonly told: unknown;
  readonly output: string | undefined;
  /** What `onError` was told. */
  readonly reported: readonly unknown[];
}> {
  const reported: unknown[] = [];
  let offered: unknown;
  let told: unknown;
  let end: () => void = () => undefined;
  const transport = rawServer(
    ({ id, method, params: given }, { send }) => {
      if (method === 'initialize') offered = given['capabilities'];
      if (method !== 'tools/call') return undefined;
      end = () => send({ id, result: { content: [{ type: 'text', text: 'done' }] } });
      send({ id: 'q-1', method: 'elicitation/create', params });
      return 'handled';
    },
    ({ id, result, error }) => {
      if (id !== 'q-1') return;
      told = result ?? error;
      end();
    },
  );
  const onError = (error: unknown) => reported.push(error);
  const options = { timeoutMs, onError, ...(legacyElicitation && { legacyElicitation }) };
  const toolset = await mcpTools({ name: 'old', transport, ...options });
  opened.push(toolset);
  const result = await toolset.tools[0]?.call?.({});
  return { offered, told, output: result?.output, reported };
}

test('a server of an earlier revision is not offered to ask, and one that asks all the same is refused', async () => {
  const { offered, told, output } = await asked();
  expect(offered).toEqual({});
  expect(told).toMatchObject({ code: -32601 });
  expect(output).toBe('done');
});

test('with `legacyElicitation` it is offered forms, and the function answers while the call is open', async () => {
  const seen: unknown[] = [];
  const answer: FormAnswer = { action: 'accept', content: { seat: '4a' } };
  const { offered, told, output } = await asked(async (params) => {
    seen.push(params);
    return answer;
  });
  expect(offered).toEqual({ elicitation: {} });
  expect(seen).toMatchObject([form.params]);
  expect(told).toEqual(answer);
  expect(output).toBe('done');
});

test('a no is a no', async () => {
  const { told, reported } = await asked(async () => ({ action: 'decline' }));
  expect(told).toEqual({ action: 'decline' });
  expect(reported).toEqual([]);
});

test.each<[string, LegacyElicitation, RegExp]>([
  ['does not fit the form', async () => ({ action: 'accept', content: { seat: 4 } }), /does not fit.*`seat`/],
  ['has no values', async () => ({ action: 'accept' }) as never, /without `content`/],
  ['is none', async () => 'yes' as never, /no `action`/],
  ['is thrown', () => Promise.reject(new Error('private')), /threw/],
])(
  'an answer that %s is told as nobody’s, and the user is told why',
  async (_what, legacyElicitation, why) => {
    const { told, output, reported } = await asked(legacyElicitation);
    expect(told).toEqual({ action: 'cancel' });
    expect(output).toBe('done');
    expect(reported).toMatchObject([{ message: expect.stringMatching(why) as string }]);
    expect(String(reported)).toContain('"Which seat?" was answered with `cancel`');
  },
);

test('an answer that takes too long is nobody’s, its function is told, and the call goes on', async () => {
  let aborted = false;
  const slow: LegacyElicitation = (_params, signal) =>
    new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
  const { told, output, reported } = await asked(slow, { timeoutMs: 2_000 });
  expect(String(reported)).toContain('took longer than 1000 ms');
  expect(told).toEqual({ action: 'cancel' });
  expect(aborted).toBe(true);
  expect(output).toBe('done');
});

test('an address is never passed on', async () => {
  let ran = false;
  const params = { mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e' };
  const { reported } = await asked(async () => ((ran = true), { action: 'decline' }), { params });
  expect(ran).toBe(false);
  expect(String(reported)).toContain('no form');
});
