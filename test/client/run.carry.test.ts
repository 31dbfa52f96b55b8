import { AsyncResource } from 'node:async_hooks';
import { answerOutput } from '../../src/agent/relay';
import type { TestServer } from '../../src/testing';
import { startCarryingServer } from '../support/carrying-server';
import { holdpointError } from '../support/matchers';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let server: TestServer;
let desk: Desk;

/** A server that has runs continue as new after a few turns. */
beforeAll(async () => {
  server = await startCarryingServer();
  desk = await openDesk(undefined, server);
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

const TURNS = 9;
const turns = [...Array.from({ length: TURNS }, (_, n) => calls(`c${n}`)), { content: 'Done.' }];

test('waits, answers, idempotent starts and erasing follow a run that continues as new', async () => {
  const { client } = desk;
  const text = desk.play(turns);
  const runId = newId();
  await client.start('desk', text, { runId });
  const end = client.result(runId);
  let halt = await client.waitForHalt(runId);
  for (let turn = 0; turn < TURNS; turn += 1) {
    expect(halt).toMatchObject({ status: 'pending', turns: turn + 1 });
    halt = await client.runWithAnswer(runId, answerOutput(pendingId(halt), String(turn)));
  }
  expect(halt).toMatchObject({ status: 'done', text: 'Done.', toolCallCount: TURNS });
  await expect(end).resolves.toEqual(halt);
  const { raw, runId: last } = await client.temporal.workflow.getHandle(runId).describe();
  const first = raw.workflowExecutionInfo?.firstRunId ?? '';
  expect(last).not.toBe(first);
  // What it was started with is in its first execution, not in the last.
  await expect(client.run('desk', text, { runId })).resolves.toEqual(halt);
  await expect(client.run('desk', '', { runId })).rejects.toEqual(
    holdpointError('Holdpoint.Run.AlreadyExists'),
  );
  await client.erase(runId);
  for (const execution of [first, last])
    await expect(client.temporal.workflow.getHandle(runId, execution).describe()).rejects.toThrow(
      /not found/,
    );
}, 120_000);

test('erasing leaves nothing of a run that continues as new at that moment', async () => {
  const { client } = desk;
  const { runId } = await client.run('desk', desk.play([calls('a')]));
  const handle = client.temporal.workflow.getHandle(runId);
  const current = async (): Promise<string> => (await handle.describe()).runId;
  const before = await current();
  const service = client.temporal.workflowService;
  const remove = service.deleteWorkflowExecution.bind(service);
  // Bound to this place: what is asked while a request is under way ends with that request, by one signal for all.
  const carry = AsyncResource.bind(async () => {
    for (let n = 0; (await current()) === before; n += 1) {
      await handle.signal('runWithAnswer', { id: 'nothing', ok: true, answerId: `noise ${n}` });
      await handle.query('state');
    }
  });
  jest.spyOn(service, 'deleteWorkflowExecution').mockImplementationOnce(async (request) => {
    await carry();
    return remove(request);
  });
  await client.erase(runId);
  await expect(handle.describe()).rejects.toThrow(/not found/);
}, 120_000);
