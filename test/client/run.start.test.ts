import { answerOutput } from '../../src/agent/relay';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk?.close());

const exists = holdpointError('Holdpoint.Run.AlreadyExists');

test('a run id that exists gives that run for the same agent, input and context, open or closed', async () => {
  const { client, model } = desk;
  const text = desk.play([calls('a'), { content: 'Done.' }]);
  const options = { runId: newId(), context: { shop: 7, at: new Date(0) } as never };
  const halted = await client.run('desk', text, options);
  const before = model.requests.length;
  await expect(client.start({ name: 'desk' }, text, options)).resolves.toEqual({
    runId: options.runId,
    isNew: false,
  });
  await expect(client.run('desk', text, { ...options, limits: { maxTurns: 3 } })).resolves.toEqual(halted);
  const done = await client.runWithAnswer(options.runId, answerOutput(pendingId(halted), '1'));
  await expect(client.run('desk', text, options)).resolves.toEqual(done);
  // One more turn after the answer, and nothing of a second run.
  expect(model.requests.length).toBe(before + 1);
  await expect(client.start('desk', text)).resolves.toMatchObject({ isNew: true });
});

test('a run id that exists is refused for another agent, input or context, open or closed', async () => {
  const { client } = desk;
  const text = desk.play([calls('a')]);
  const runId = newId();
  await client.run('desk', text, { runId, context: 1 });
  const refuseAll = async (): Promise<void> => {
    const same = { runId, context: 1 };
    await expect(client.start('other', text, same)).rejects.toEqual(exists);
    await expect(client.start('desk', `${text}.`, same)).rejects.toEqual(exists);
    await expect(client.start('desk', text, { ...same, context: 2 })).rejects.toEqual(exists);
    await expect(client.start('desk', text, { runId })).rejects.toEqual(exists);
  };
  await refuseAll();
  await client.cancel(runId);
  await client.result(runId);
  await refuseAll();
});

test('many starts of one id at the same time make one run', async () => {
  const { client, model } = desk;
  const text = desk.play([{ content: 'Once.' }]);
  const runId = newId();
  const before = model.requests.length;
  const results = await Promise.all(Array.from({ length: 8 }, () => client.run('desk', text, { runId })));
  for (const result of results) expect(result).toMatchObject({ runId, text: 'Once.' });
  expect(model.requests.length).toBe(before + 1);
});

test('an id that belongs to another kind of workflow is refused', async () => {
  const { client, taskQueue } = desk;
  const workflowId = newId();
  await client.temporal.workflow.start('somethingElse', { workflowId, taskQueue: `${taskQueue}-none` });
  await expect(client.start('desk', 'x', { runId: workflowId })).rejects.toEqual(exists);
  await client.temporal.workflow.getHandle(workflowId).terminate();
});

test('ids with a slash, empty or over 200 characters are refused before anything is sent', async () => {
  const { client } = desk;
  const invalid = holdpointError('Holdpoint.Client.InvalidOptions', /1 to 200 characters without "\/"/);
  for (const id of ['a/b', '', 'x'.repeat(201)]) {
    await expect(client.start('desk', 'x', { runId: id })).rejects.toEqual(invalid);
    await expect(client.ask('desk', id, 'x')).rejects.toEqual(invalid);
  }
});

test('wrong input, context and limits are typed errors before anything is sent', async () => {
  const { client } = desk;
  const input = holdpointError('Holdpoint.Run.InvalidInput');
  await expect(client.run('desk', 7 as never)).rejects.toEqual(input);
  await expect(client.run('desk', [])).rejects.toEqual(input);
  await expect(client.run('desk', [{ role: 'system', content: 'x' } as never])).rejects.toEqual(input);
  await expect(client.run('desk', 'x', { context: 1n as never })).rejects.toEqual(input);
  await expect(client.run('desk', 'x'.repeat(1_600_000))).rejects.toEqual(
    holdpointError('Holdpoint.Run.InvalidInput', /1600002 bytes.*1572864/),
  );
  const options = holdpointError('Holdpoint.Client.InvalidOptions');
  await expect(client.run('desk', 'x', { limits: { maxTurns: 0 } })).rejects.toEqual(options);
  await expect(client.run('', 'x')).rejects.toEqual(options);
});
