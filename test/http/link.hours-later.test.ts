import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createClient } from '../../src/client';
import { parseConfig } from '../../src/config/read-config';
import type { Config } from '../../src/config/config';
import { createHttpApi } from '../../src/http/create-api';
import { listen } from '../../src/http/listen';
import { startTimeSkippingServer } from '../../src/testing';
import { answerUrl, createAnswerToken } from '../../src/tokens/answer-token';
import { defineAgent, defineTool } from '../../src/tools';
import { configuredWebhooks } from '../../src/webhooks/configured';
import type { WebhookEvent } from '../../src/webhooks/event';
import { openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { SECRET } from '../webhooks/events';
import { openReceiver, verified, type Receiver } from '../webhooks/receiver';

// Its server is a Java program, which starts slowly on a busy machine.
jest.setTimeout(180_000);

const KEYS = {
  old: { id: 'spring', secret: Buffer.alloc(32, 1).toString('base64') },
  next: { id: 'summer', secret: Buffer.alloc(32, 2).toString('base64') },
};

let environment: TestWorkflowEnvironment;
let desk: Desk;
let receiver: Receiver;
const config: { current: Config } = { current: parseConfig('{}', 'none.json', {}) };
let executed = 0;

function configure(...signingKeys: object[]): void {
  const file = {
    publicUrl: 'https://holdpoint.example',
    signingKeys,
    webhooks: {
      endpoints: [{ id: 'shop', url: receiver.url, secrets: [SECRET] }],
      allow: ['127.0.0.1:*'],
    },
  };
  config.current = parseConfig(JSON.stringify(file), 'test.json', {});
}

beforeAll(async () => {
  quietRuntime();
  receiver = await openReceiver();
  configure(KEYS.old);
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  const refund = defineTool({
    name: 'refund',
    description: 'Pays back',
    needsApproval: true,
    approvers: ['ann'],
    remindAfter: '1 hour',
    escalateAfter: '4 hours',
    escalateTo: ['boss'],
    execute: () => {
      executed += 1;
      return 'paid';
    },
  });
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [refund] });
  const { address, namespace = 'default' } = environment;
  // This server keeps a cached run for its worker until its own clock moves on, which here it does not.
  const workerOptions = { webhooks: configuredWebhooks(config), maxCachedWorkflows: 0 };
  desk = await openDesk([agent], { address, namespace }, workerOptions);
});
afterAll(async () => {
  await desk?.close();
  await environment?.teardown();
  await receiver?.close();
});

const events = (): WebhookEvent[] => receiver.received.map((one) => verified(one, SECRET));

/** An API server of its own, with a client of its own, for as long as it is used. */
async function withServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const { address, namespace = 'default' } = environment;
  const client = await createClient({ address, namespace, taskQueue: desk.taskQueue });
  // A task that the old worker took along comes back after ten seconds.
  const api = createHttpApi({ client, config, callMs: 60_000 });
  const server = await listen(api, { port: 0, host: '127.0.0.1', config, graceMs: 500 });
  try {
    return await use(server.url);
  } finally {
    await server.close();
    await client.disconnect();
  }
}

const postTo = (link: string, body: object) =>
  fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('reminded at 1 h, escalated at 4 h, answered by a link at 30 h, when worker, server and signing key are others', async () => {
  const turn = { toolCalls: [{ id: 'a', name: 'refund', arguments: {} }] };
  const { runId } = await desk.client.start('desk', desk.play([turn, { content: 'Done.' }]));
  await until('the halt is told', async () => events().length === 1);
  const [halt] = events();
  const [asked] = halt?.data.requests ?? [];
  expect(halt).toMatchObject({ type: 'run.pending', data: { runId } });

  await environment.sleep('61 minutes');
  await until('the reminder is told', async () => events().length === 2);
  expect(events()[1]).toMatchObject({ type: 'request.reminder', data: { requests: [{ id: asked?.id }] } });
  await environment.sleep('3 hours');
  await until('the escalation is told', async () => events().length === 3);
  const [escalated] = events()[2]?.data.requests ?? [];
  expect(escalated?.policy).toHaveProperty('escalatedAt');

  // What a backend makes of that: a link for the one it has escalated to.
  const { executionId: firstExecutionId = '' } = await description(runId);
  const grant = { runId, firstExecutionId, requestId: asked?.id ?? '', by: 'boss', roles: ['boss'] };
  const token = await createAnswerToken(config.current.signingKeys, grant);
  await withServer(async (url) => {
    const page = await fetch(answerUrl(url, token));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('refund')]);
    // A link that is nobody's in particular could not answer a request that asks for somebody: the event holds none.
    expect(asked).not.toHaveProperty('callbackUrl');
    const nobodys = { runId, firstExecutionId, requestId: asked?.id ?? '' };
    const anybodys = answerUrl(url, await createAnswerToken(config.current.signingKeys, nobodys));
    expect((await postTo(anybodys, { ok: true })).status).toBe(403);
  });

  // Before the worker ends: this server skips no time while a task waits for one.
  await environment.sleep('26 hours');
  await desk.stopWorker();
  configure(KEYS.next, { ...KEYS.old, verifyOnly: true });
  await desk.startWorker();
  await withServer(async (url) => {
    const link = answerUrl(url, token);
    const accepted = await postTo(link, { ok: true });
    expect([accepted.status, await accepted.json()]).toEqual([
      200,
      expect.objectContaining({ ok: true, by: 'boss', as: 'boss', resolved: true }),
    ]);
    expect((await postTo(link, { ok: false })).status).toBe(409);
    expect((await postTo(link, { ok: true })).status).toBe(200);
    configure(KEYS.next);
    expect((await postTo(link, { ok: true })).status).toBe(404);
  });
  await until('the end is told', async () => events().some(({ type }) => type === 'run.done'), 90_000);
  expect(executed).toBe(1);
});

async function description(runId: string): Promise<{ executionId?: string }> {
  const { raw } = await desk.client.temporal.workflow.getHandle(runId).describe();
  const executionId = raw.workflowExecutionInfo?.execution?.runId;
  return executionId ? { executionId } : {};
}
