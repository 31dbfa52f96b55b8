import { z } from 'zod';
import { handle, handleCall, handleWithErrorRenderer, TOOL_FAILED } from '../../src/mcp/bound-tool';
import { textContent } from '../../src/mcp/content';
import { define, defineContent } from '../../src/mcp/definition';
import { complete, completeWithContent, completeWithMeta, requestInput } from '../../src/mcp/reply';
import { failed, ok } from '../../src/mcp/result';
import { withInputSchema } from '../../src/mcp/setters';
import { errorMessage, errorWith } from '../../src/mcp/tool-error';
import { aCall } from './calls';

const input = z.object({ name: z.string() });
const greet = define('greet', input, z.string());
const genericFailure = {
  kind: 'result',
  result: { content: [{ type: 'text', text: TOOL_FAILED }], isError: true },
};
const secret = 'password=hunter2';

test('a string is mirrored as it is', async () => {
  const tool = handle(greet, ({ name }) => ok(`Hello, ${name}!`));
  expect(await tool.runRound(aCall(), { name: 'Ada' })).toEqual({
    kind: 'result',
    result: { content: [{ type: 'text', text: 'Hello, Ada!' }], structuredContent: 'Hello, Ada!' },
  });
});

test.each([
  [z.object({ a: z.number() }), { a: 1 }, '{"a":1}'],
  [z.array(z.string()), ['x', 'y'], '["x","y"]'],
  [z.number(), 7, '7'],
  [z.null(), null, 'null'],
])('anything else is mirrored as compact JSON', async (schema, value, mirror) => {
  const tool = handle(define('a', z.object({}), schema as z.ZodType), () => ok(value));
  expect(await tool.runRound(aCall(), {})).toEqual({
    kind: 'result',
    result: { content: [textContent(mirror)], structuredContent: value },
  });
});

test('codecs read arguments and write results', async () => {
  const date = z.codec(z.iso.date(), z.date(), {
    decode: (text) => new Date(text),
    encode: (at) => at.toISOString().slice(0, 10),
  });
  const dayAfter = define('day_after', z.object({ on: date }), z.object({ on: date }));
  const tool = handle(dayAfter, ({ on }) => ok({ on: new Date(on.getTime() + 86_400_000) }));
  expect(await tool.runRound(aCall(), { on: '2026-02-28' })).toMatchObject({
    result: { structuredContent: { on: '2026-03-01' } },
  });
});

test.each([[{}], [{ name: 1 }], [null], ['Ada'], [[]]])(
  'arguments %j are a tool error and the handler does not run',
  async (args) => {
    let ran = false;
    const tool = handle(greet, () => {
      ran = true;
      return ok('');
    });
    expect(await tool.runRound(aCall(), args)).toMatchObject({
      kind: 'result',
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('Invalid arguments for greet') as string }],
      },
    });
    expect(ran).toBe(false);
  },
);

test('the codec reads every call, whatever schema is published', async () => {
  const tool = handle(withInputSchema(greet, { type: 'object' }), ({ name }) => ok(name));
  expect(await tool.runRound(aCall(), {})).toMatchObject({ result: { isError: true } });
});

const unfinished = { ...genericFailure, unfinished: true };
test.each([
  ['an error', () => failed(secret), genericFailure],
  [
    'a throw',
    () => {
      throw new Error(secret);
    },
    unfinished,
  ],
  ['a rejection', () => Promise.reject(new Error(secret)), unfinished],
  ['an output that does not fit', () => ok(7 as never), unfinished],
])('of %s the client learns nothing private, and the log does', async (_what, handler, expected) => {
  const told: unknown[] = [];
  const outcome = await handle(greet, handler).runRound(aCall(), { name: 'a' }, (failure) =>
    told.push(failure),
  );
  expect(outcome).toEqual(expected);
  expect(told).toHaveLength(1);
});

test('a renderer says what the client may know', async () => {
  const tool = handleWithErrorRenderer(
    greet,
    () => failed({ code: 'E1', detail: secret }),
    ({ code }) => errorWith([textContent(`failed: ${code}`)], { code }),
  );
  expect(await tool.runRound(aCall(), { name: 'a' })).toEqual({
    kind: 'result',
    result: { content: [textContent('failed: E1')], structuredContent: { code: 'E1' }, isError: true },
  });
});

test('a renderer that throws gives the general message', async () => {
  const tool = handleWithErrorRenderer(
    greet,
    () => failed(secret),
    () => {
      throw new Error(secret);
    },
  );
  expect(await tool.runRound(aCall(), { name: 'a' })).toEqual(genericFailure);
});

test('a handler with the call may refuse in its own words', async () => {
  const tool = handleCall(greet, () => failed(errorMessage('Not today.')));
  expect(await tool.runRound(aCall(), { name: 'a' })).toEqual({
    kind: 'result',
    result: { content: [textContent('Not today.')], isError: true },
  });
});

test('blocks of its own stand instead of the mirror', async () => {
  const blocks = [textContent('one'), textContent('two')];
  const tool = handleCall(greet, () => ok(completeWithContent('x', blocks)));
  expect(await tool.runRound(aCall(), { name: 'a' })).toEqual({
    kind: 'result',
    result: { content: blocks, structuredContent: 'x' },
  });
});

test('meta goes on each block that is made, of either kind of tool, and not on the result', async () => {
  const meta = { 'example.com/request': 'r-1' };
  const structured = handleCall(greet, () => ok(completeWithMeta('x', meta)));
  expect(await structured.runRound(aCall(), { name: 'a' })).toEqual({
    kind: 'result',
    result: { content: [{ ...textContent('x'), _meta: meta }], structuredContent: 'x' },
  });
  const content = handleCall(defineContent('look', z.object({})), () =>
    ok(completeWithMeta([{ ...textContent('x'), _meta: { old: 1 } }], meta)),
  );
  expect(await content.runRound(aCall(), {})).toEqual({
    kind: 'result',
    result: { content: [{ ...textContent('x'), _meta: meta }] },
  });
});

test('a tool of content blocks gives them and nothing structured', async () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  const tool = handleCall(defineContent('look', z.object({})), () => ok(complete([image])));
  expect(await tool.runRound(aCall(), {})).toEqual({ kind: 'result', result: { content: [image] } });
});

test('a round of input names its requests, and the next one reads the responses', async () => {
  const ask = { method: 'elicitation', params: { message: 'Which?' } } as const;
  const tool = handleCall(greet, ({ inputResponses }) =>
    inputResponses['which'] === undefined
      ? ok(requestInput({ which: ask }))
      : ok(complete(JSON.stringify(inputResponses['which']))),
  );
  expect(await tool.runRound(aCall(), { name: 'a' })).toEqual({ kind: 'input', requests: { which: ask } });
  const answered = aCall({ inputResponses: { which: { action: 'decline' } } });
  expect(await tool.runRound(answered, { name: 'a' })).toMatchObject({
    result: { structuredContent: '{"action":"decline"}' },
  });
});

test('a round that asks nothing would wait for ever, so it is a failure', async () => {
  const told: unknown[] = [];
  const tool = handleCall(greet, () => ok(requestInput({})));
  expect(await tool.runRound(aCall(), { name: 'a' }, (failure) => told.push(failure))).toEqual(unfinished);
  expect(String(told[0])).toContain('without any request');
});

test('the handler gets the call as it is', async () => {
  const call = aCall({
    context: { tenant: 't' },
    requestId: '7',
    idempotencyKey: 'k',
    clientInfo: { name: 'c', version: '1' },
  });
  const seen: unknown[] = [];
  await handleCall(greet, (given) => {
    seen.push(given);
    return ok(complete(''));
  }).runRound(call, { name: 'a' });
  expect(seen).toEqual([call]);
});
