import { NativeConnection } from '@temporalio/worker';
import { createWorker } from '../../src/worker';
import { defineAgent, defineTool } from '../../src/tools';
import type { ToolContext, ToolHints } from '../../src/agent/tool';
import { callsOnce, modelOf, response } from '../support/model';
import { testServer } from '../support/test-server';
import { workflowBundle } from '../support/workflow-bundle';
import { transcriptOf, withDesk } from './fixtures';

const agentOf = (tools: Parameters<typeof defineAgent>[0]['tools'] = []) =>
  defineAgent({ name: 'desk', model: 'm', tools });

/** A promise and what settles it. */
function gate<T = void>() {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { open, opened };
}

/** A tool that waits for `release`, or reports its abort as an error. */
function slowTool(hints: ToolHints) {
  const begun = gate<ToolContext>();
  const release = gate<string>();
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    hints,
    execute: (_, ctx) => {
      begun.open(ctx);
      return new Promise((resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(new Error('aborted')));
        void release.opened.then(resolve);
      });
    },
  });
  return { tool, begun: begun.opened, release: release.open };
}

describe('a worker that shuts down', () => {
  it('lets a call in flight end within the grace time', async () => {
    await withDesk(async ({ start, startRun }) => {
      const { tool, begun, release } = slowTool({});
      const agents = [agentOf([tool])];
      const worker = await start({ agents, models: callsOnce('look').model, shutdownGraceTime: 30_000 });
      const run = await startRun({ agent: 'desk', input: 'Look.' });
      await begun;
      const ended = worker.shutdown();
      release('seen');
      await ended;
      await start({ agents, models: callsOnce('look').model });
      expect(await run.result()).toMatchObject({ status: 'done' });
      expect((await transcriptOf(run))[2]).toMatchObject({ content: 'seen' });
    });
  });

  it('hands a model call over to another worker: it is no failure of the run', async () => {
    await withDesk(async ({ start, startRun }) => {
      const begun = gate();
      const { model } = modelOf(({ signal }) => {
        begun.open();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      });
      const worker = await start({ agents: [agentOf()], models: model, shutdownGraceTime: 1 });
      const run = await startRun({ agent: 'desk', input: 'Hello.' });
      await begun.opened;
      await worker.shutdown();
      await start({ agents: [agentOf()], models: modelOf(() => response('from the other')).model });
      expect(await run.result()).toMatchObject({ status: 'done', text: 'from the other' });
    });
  });

  it.each<[string, ToolHints, RegExp]>([
    ['reports that the outcome is unknown', {}, /outcome.*unknown/i],
    ['repeats an idempotent call on another worker', { idempotent: true }, /^seen by the other$/],
  ])('R33: %s when it interrupts a tool', async (_, hints, content) => {
    await withDesk(async ({ start, startRun }) => {
      const { tool, begun } = slowTool(hints);
      const models = callsOnce('look').model;
      const worker = await start({ agents: [agentOf([tool])], models, shutdownGraceTime: 1 });
      const run = await startRun({ agent: 'desk', input: 'Look.' });
      await begun;
      await worker.shutdown();
      const other = defineTool({
        name: 'look',
        description: 'Looks.',
        hints,
        execute: () => 'seen by the other',
      });
      await start({ agents: [agentOf([other])], models });
      expect(await run.result()).toMatchObject({ status: 'done' });
      expect((await transcriptOf(run))[2]).toMatchObject({
        content: expect.stringMatching(content) as unknown,
      });
    });
  });
});

describe('the end of a worker', () => {
  const options = async () => ({
    agents: [agentOf()],
    ...testServer(),
    taskQueue: 'worker-end',
    workflowBundle: await workflowBundle(),
  });

  it('comes at once when it never ran, and may be asked for twice', async () => {
    const worker = await createWorker(await options());
    await worker.shutdown();
    await worker.shutdown();
  });

  it('leaves a connection open that was given to it', async () => {
    const { address, ...rest } = await options();
    const connection = await NativeConnection.connect({ address });
    const worker = await createWorker({ ...rest, connection });
    await worker.runUntil(async () => undefined);
    await connection.workflowService.getSystemInfo({});
    await connection.close();
  });

  it('comes with the work that it runs for, whose value or error it gives', async () => {
    expect(await (await createWorker(await options())).runUntil(async () => 7)).toBe(7);
    const worker = await createWorker(await options());
    await expect(worker.runUntil(() => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    await worker.shutdown();
  });
});
