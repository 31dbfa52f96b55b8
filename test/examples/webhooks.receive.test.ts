import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deliver } from '../../src/webhooks/deliver';
import { eventBody } from '../../src/webhooks/event';
import { NEXT_SECRET, pendingEvent, SECRET } from '../webhooks/events';
import { demoEnvironment, ROOT } from './demo-environment';

test('the receiver that the page shows takes each event once, and none that somebody else has signed', async () => {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'examples/webhooks/receiver.ts'],
    {
      cwd: ROOT,
      env: demoEnvironment({ CRM_WEBHOOK_SECRET: SECRET, PORT: '0' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const first = String((await lines.next()).value);
    const port = /^Listening on port (\d+)$/.exec(first)?.[1] ?? '';
    const body = await eventBody(pendingEvent(), () => 'https://holdpoint.test/v1/answers/x');
    const tell = (webhookId: string, secret: string) =>
      deliver(
        { url: `http://127.0.0.1:${port}/`, secrets: [secret] },
        { webhookId, body },
        { allow: ['127.0.0.1:*'] },
      );
    await expect(tell('msg_0', NEXT_SECRET)).resolves.toMatchObject({ reason: 'it answered 401' });
    for (const id of ['msg_1', 'msg_1', 'msg_2'])
      await expect(tell(id, SECRET)).resolves.toEqual({ is: 'delivered', status: 204 });
    const told = [];
    for (let n = 0; n < 4; n += 1) told.push(String((await lines.next()).value));
    const event = [
      'run.pending order-1047 pending',
      'approve refund({"order":1047}) https://holdpoint.test/v1/answers/x',
    ];
    expect(told).toEqual([...event, ...event]);
  } finally {
    child.kill();
    await ended;
  }
}, 60_000);
