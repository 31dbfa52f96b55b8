import { approve } from '../../src/agent/decisions';
import { isRecord } from '../../src/agent/json';
import { newId, type Desk } from '../client/desk';
import { blocksOf } from '../docs/blocks';
import { refunded, serveDesk, useRefundDesk } from './agent-desk';
import { readReply } from './raw-request';

const openedDesk = useRefundDesk();
let desk: Desk;
beforeAll(() => {
  desk = openedDesk();
});

/** The request that the guide types, for a server of this process. */
function typed(): Request {
  const { text = '' } = blocksOf('docs/mcp.md').find(({ text: block }) => block.startsWith('curl ')) ?? {};
  const headers = new Headers({ host: '127.0.0.1:7080' });
  for (const [, name = '', value = ''] of text.matchAll(/-H ['"]([^:]+): ([^'"]*)['"]/g))
    headers.set(name, value);
  const [, url = ''] = /^curl (\S+)/.exec(text) ?? [];
  const [, body = ''] = /--data '([^']*)'/.exec(text) ?? [];
  return new Request(url, { method: 'POST', headers, body });
}

test('the request of the guide starts a run, and sent again it finds it', async () => {
  const { params } = (await typed().json()) as { params: { arguments: { input: string } } };
  const refund = { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 1047 } }] };
  desk.play([refund, { content: 'Refunded.' }], params.arguments.input);
  const principal = { id: newId() };
  const seen: (string | null)[] = [];
  const serving = serveDesk(desk, {
    name: 'shop',
    auth: async (headers) => {
      seen.push(headers.get('authorization'));
      return principal;
    },
  });
  const send = async (): Promise<unknown> => {
    const { status, message } = await readReply(await serving.fetch(typed()));
    expect(status).toBe(200);
    return isRecord(message) ? message['result'] : message;
  };
  const waiting = (await send()) as {
    structuredContent: { error: string; runId: string; requests: { id: string }[] };
  };
  const { error, runId, requests } = waiting.structuredContent;
  expect(error).toBe('awaiting_input');
  await desk.client.answer(runId, approve(requests[0]?.id ?? ''));
  expect(await send()).toMatchObject({ content: [{ text: 'Refunded.' }] });
  expect(refunded).toEqual([1047]);
  expect(seen).toEqual(['Bearer $HOLDPOINT_KEY', 'Bearer $HOLDPOINT_KEY']);
});
