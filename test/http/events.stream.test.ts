import { answerOutput } from '../../src/agent/relay';
import { listen } from '../../src/http/listen';
import { defineAgent, defineTool } from '../../src/tools';
import { newGate, newId, openDesk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { halt, openHttpDesk, toReply, type HttpDesk } from './desk';

let http: HttpDesk;
let url: string;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({ heartbeatMs: 50 });
  ({ url } = await http.serve());
});
afterAll(() => http?.close());

interface StreamedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A reader of one stream, event by event; comments are counted. */
async function open(runId: string, { after, key = http.key() }: { after?: number; key?: string } = {}) {
  const end = new AbortController();
  const response = await fetch(`${url}/v1/runs/${encodeURIComponent(runId)}/events`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(after !== undefined && { 'last-event-id': String(after) }),
    },
    signal: end.signal,
  });
  let comments = 0;
  async function* events(): AsyncGenerator<StreamedEvent> {
    let left = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      left += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = left.split('\n\n');
      left = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) comments += 1;
        const of = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        if (of('id') !== '')
          yield {
            id: Number(of('id')),
            type: of('event'),
            data: JSON.parse(of('data')) as object as StreamedEvent['data'],
          };
      }
    }
  }
  return { response, events: events(), comments: () => comments, end: () => end.abort() };
}

test('a stream tells a run from its first event to its end, and ends with it', async () => {
  const { runId, requestId } = await halt(http);
  const { response, events } = await open(runId);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const types: string[] = [];
  for await (const { id, type, data } of events) {
    expect(data).toMatchObject({ position: id, type, runId });
    types.push(type);
    if (type === 'request') await http.desk.client.answer(runId, answerOutput(requestId, '1'));
  }
  expect(types).toEqual(['model', 'request', 'answer', 'model', 'run']);
});

test('Last-Event-ID goes on after that event; after the last one there is 204, which ends an EventSource', async () => {
  const { runId, requestId } = await halt(http);
  await http.desk.client.answer(runId, answerOutput(requestId, '1'));
  await http.desk.client.result(runId);
  const all: StreamedEvent[] = [];
  for await (const event of (await open(runId)).events) all.push(event);
  const [, second, ...rest] = all;
  const resumed: StreamedEvent[] = [];
  for await (const event of (await open(runId, { after: second?.id ?? 0 })).events) resumed.push(event);
  expect(resumed).toEqual(rest);
  const { response } = await open(runId, { after: all.at(-1)?.id ?? 0 });
  expect(response.status).toBe(204);
});

test('a quiet stream shows signs of life, and ends when its key is revoked', async () => {
  const { runId } = await halt(http);
  const { current } = http.config;
  const key = http.key();
  const { events, comments } = await open(runId, { key });
  const types: string[] = [];
  for await (const { type } of events) {
    types.push(type);
    if (type === 'request')
      void until('there are signs of life', () => comments() > 2).then(() => {
        http.config.current = current;
      });
  }
  expect(types).toEqual(['model', 'request']);
});

test('a stream of a run that has nothing to say begins at once', async () => {
  const { runId } = await halt(http);
  const all: number[] = [];
  for await (const { position } of http.desk.client.events(runId, { follow: false })) all.push(position);
  const silent = http.another({ heartbeatMs: 1e9 });
  const server = await listen(silent, { port: 0, host: '127.0.0.1', config: http.config, graceMs: 1 });
  try {
    const response = await fetch(`${server.url}/v1/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${http.key()}`, 'last-event-id': String(all.at(-1)) },
      // Long for a line that is there at once; without one nothing would ever come.
      signal: AbortSignal.timeout(8_000),
    });
    const first = await response.body?.getReader().read();
    expect(Buffer.from((first?.value as Uint8Array | undefined) ?? []).toString()).toMatch(/^: /);
  } finally {
    await server.close();
  }
});

test('an ask’s events are read by its encoded id, and HEAD opens no stream', async () => {
  const conversationId = newId();
  const asked = await http.call(`/v1/conversations/${conversationId}/messages`, {
    body: { agent: 'desk', message: http.desk.play([{ content: 'Hi.' }]) },
    headers: { prefer: 'wait=30' },
  });
  expect(asked.headers.get('location')).toBe(`/v1/runs/${conversationId}%2F1`);
  const types: string[] = [];
  for await (const { type, data } of (await open(`${conversationId}/1`)).events) {
    types.push(type);
    expect(data['runId']).toBe(`${conversationId}/1`);
  }
  expect(types).toEqual(['model', 'run']);
  const { runId } = await halt(http);
  const head = await fetch(`${url}/v1/runs/${runId}/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${http.key()}` },
  });
  expect((await toReply(head)).status).toBe(200);
  await expect(openWaits()).resolves.toBe(0);
});

test('with `progress=true` what a tool reports comes as an event without an id, and without it not at all', async () => {
  const gate = newGate();
  const work = defineTool({
    name: 'work',
    description: 'Takes a while',
    execute: async (_args, { reportProgress }) => {
      reportProgress(1, 2, 'half');
      await gate.open;
      return 'done';
    },
  });
  const desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [work] })]);
  const own = await openHttpDesk({}, desk);
  const { url: at } = await own.serve();
  const turns = [{ toolCalls: [{ id: 'c', name: 'work', arguments: {} }] }, { content: 'Done.' }];
  const { runId } = await desk.client.start('desk', desk.play(turns));
  const headers = { authorization: `Bearer ${own.key()}` };
  const readAll = async (query: string): Promise<string> => {
    const response = await fetch(`${at}/v1/runs/${runId}/events${query}`, { headers });
    let told = '';
    for await (const chunk of response.body ?? []) {
      told += Buffer.from(chunk as Uint8Array).toString();
      if (told.includes('event: progress')) gate.unlock();
    }
    return told;
  };
  const [asked, plain] = await Promise.all([readAll('?progress=true'), readAll('')]);
  const [block = ''] = asked.split('\n\n').filter((text) => text.includes('event: progress'));
  expect(block).not.toMatch(/^id:/m);
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? [];
  expect(JSON.parse(data)).toMatchObject({ type: 'progress', runId, callId: 'c', progress: 1, total: 2 });
  expect(plain).not.toContain('progress');
  expect((await own.call(`/v1/runs/${runId}/events?progress=maybe`)).status).toBe(400);
  await own.close();
});

test('a reader that goes away frees its place', async () => {
  const { runId } = await halt(http);
  const { events, end } = await open(runId);
  await events.next();
  await expect(openWaits()).resolves.toBe(1);
  end();
  await until('the place is free', async () => (await openWaits()) === 0);
});

async function openWaits(): Promise<number> {
  const { text } = await http.call('/metrics');
  return Number(/^holdpoint_http_waits (\d+)$/m.exec(text)?.[1]);
}
