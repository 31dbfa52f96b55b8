import type { RunEvent } from '../../src/agent/event';
import type { ProgressEvent } from '../../src/agent/progress';
import type { EventsOptions, HoldpointClient } from '../../src/client';
import { defineAgent, defineTool } from '../../src/tools';
import { quietRuntime } from '../support/quiet-runtime';
import { calls, newGate, newId, openDesk, relayed, type Desk } from './desk';

type Told = RunEvent | ProgressEvent;
type Report = (progress: number, total?: number, message?: string) => void;

/** The calls of `work` that are under way: each reports and ends as its test says. */
const working = new Map<string, (report: Report) => Promise<string>>();
const work = defineTool({
  name: 'work',
  description: 'Takes a while',
  inputSchema: { type: 'object', properties: { job: { type: 'string' } }, required: ['job'] },
  execute: async ({ job: id }, { reportProgress }) => {
    const job = typeof id === 'string' ? working.get(id) : undefined;
    return job ? job(reportProgress) : 'no such job';
  },
});

let desk: Desk;
beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [work, relayed] })]);
});
afterAll(() => desk?.close());

/** A turn of calls of `work`, one for each job. */
const jobs = (...ids: string[]) => ({
  toolCalls: ids.map((job) => ({ id: `call-${job}`, name: 'work', arguments: { job } })),
});

/** A job that reports as it is told, one report after the other, until it is told to end. */
function newJob() {
  const id = newId();
  let report: Report = () => undefined;
  const started = newGate();
  const over = newGate();
  working.set(id, async (given) => {
    report = given;
    started.unlock();
    await over.open;
    return 'done';
  });
  return {
    id,
    started: started.open,
    end: over.unlock,
    report: (...told: Parameters<Report>) => report(...told),
  };
}

test('R44: what a tool reports comes while it is under way, without a position, each report once', async () => {
  const job = newJob();
  const { runId } = await desk.client.start('desk', desk.play([jobs(job.id), { content: 'Done.' }]));
  const reading = desk.client.events(runId, { progress: true })[Symbol.asyncIterator]();
  const next = async () => ((await reading.next()) as IteratorYieldResult<Told>).value;
  expect(await next()).toMatchObject({ type: 'model' });
  await job.started;
  job.report(1, 3, 'one of three');
  const first = await next();
  expect(first).toEqual({
    type: 'progress',
    runId,
    turn: 1,
    callId: `call-${job.id}`,
    tool: 'work',
    progress: 1,
    total: 3,
    message: 'one of three',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
  });
  job.report(2);
  expect(await next()).toMatchObject({ type: 'progress', progress: 2 });
  job.end();
  expect(await next()).toMatchObject({ type: 'tool', callId: `call-${job.id}` });
  for (const type of ['model', 'run']) expect(await next()).toMatchObject({ type });
  expect(await reading.next()).toEqual({ done: true, value: undefined });
});

test('R44: calls of one turn report each for itself, and one that says nothing new is told no more', async () => {
  const [quiet, busy] = [newJob(), newJob()];
  const turn = jobs(quiet.id, busy.id);
  const { runId } = await desk.client.start('desk', desk.play([turn, { content: 'Done.' }]));
  for (const job of [quiet, busy]) {
    await job.started;
    job.report(1);
  }
  const seen: string[] = [];
  for await (const event of desk.client.events(runId, { progress: true })) {
    if (event.type !== 'progress') continue;
    seen.push(`${event.callId} ${event.progress}`);
    if (event.callId === `call-${busy.id}` && event.progress < 3) busy.report(event.progress + 1);
    else if (event.progress === 3) for (const job of [quiet, busy]) job.end();
  }
  expect(seen.sort()).toEqual([`call-${quiet.id} 1`, ...[1, 2, 3].map((n) => `call-${busy.id} ${n}`)].sort());
});

test('R44: nothing is told of calls that have ended, to readers of what is there, or to who does not ask', async () => {
  const job = newJob();
  const { runId } = await desk.client.start('desk', desk.play([jobs(job.id), calls('a')]));
  await job.started;
  job.report(1);
  const read = async (client: HoldpointClient, options: EventsOptions): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of client.events(runId, options)) {
      types.push(type);
      if (type === 'request') break;
    }
    return types;
  };
  const other = await desk.connect();
  const describe = jest.spyOn(other.temporal.workflowService, 'describeWorkflowExecution');
  const plain = read(other, { follow: true });
  // Long enough for one who asks to be told twice.
  for await (const event of desk.client.events(runId, { progress: true })) {
    if (event.type !== 'progress') continue;
    if (event.progress === 2) break;
    job.report(2);
  }
  expect(await read(desk.client, { follow: false, progress: true })).toEqual(['model']);
  job.end();
  const types = ['model', 'tool', 'model', 'request'];
  expect(await plain).toEqual(types);
  // Once, to find the run's history.
  expect(describe).toHaveBeenCalledTimes(1);
  expect(await read(desk.client, { progress: true })).toEqual(types);
  await other.disconnect();
});

test('R44: an interrupted reading of progress goes on after its last position and misses no event', async () => {
  const job = newJob();
  const { runId } = await desk.client.start('desk', desk.play([jobs(job.id), { content: 'Done.' }]));
  await job.started;
  job.report(1);
  const positions: number[] = [];
  for await (const event of desk.client.events(runId, { progress: true })) {
    if (event.type === 'progress') break;
    positions.push(event.position);
  }
  job.end();
  const after = positions.at(-1) ?? -1;
  for await (const event of desk.client.events(runId, { progress: true, after }))
    if (event.type !== 'progress') positions.push(event.position);
  const all: number[] = [];
  for await (const { position } of desk.client.events(runId, { follow: false })) all.push(position);
  expect(positions).toEqual(all);
});

test('R39, R44: an ask’s progress is told in its own events', async () => {
  const job = newJob();
  const text = desk.play([jobs(job.id), { content: 'Done.' }]);
  const { runId } = await desk.client.startAsk('desk', newId(), text);
  await job.started;
  job.report(5, 10);
  const reports: Told[] = [];
  for await (const event of desk.client.events(runId, { progress: true }))
    if (event.type === 'progress') {
      reports.push(event);
      job.end();
    }
  expect(reports).toMatchObject([{ runId, callId: `call-${job.id}`, progress: 5, total: 10 }]);
});

test('an abort ends the reading of progress at once', async () => {
  const job = newJob();
  const { runId } = await desk.client.start('desk', desk.play([jobs(job.id), { content: 'Done.' }]));
  await job.started;
  const stop = new AbortController();
  const reading = (async () => {
    for await (const event of desk.client.events(runId, { progress: true, signal: stop.signal }))
      if (event.type === 'model') stop.abort(new Error('enough'));
  })();
  await expect(reading).rejects.toThrow('enough');
  job.end();
});
