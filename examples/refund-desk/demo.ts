/**
 * A refund desk that has to wait: for the warehouse, which answers when it can, and for a person, who approves
 * the refund. On a terminal it waits for your answers; with `--auto` it kills its own worker while the run
 * waits, and answers itself.
 */
import { randomBytes } from 'node:crypto';
import { HoldpointError, type RunResult } from 'holdpoint';
import { Cleanup } from './cleanup';
import { startModel } from './model';
import { readOptions, USAGE, type DemoOptions } from './options';
import { playRun } from './play-run';
import { assertParked, forgetRun, startServer } from './server';
import { say, showEnd } from './show';
import { startWorkerProcess, type WorkerProcess } from './worker-process';
import { writeWorkflowBundle } from './workflow-bundle';

const cleanup = new Cleanup();
let stopping = false;
let inHaste = false;
/** Set while there is a run that has not ended. */
let parked: string | undefined;

async function demo(options: DemoOptions): Promise<number> {
  if (options.runId !== undefined) await assertParked(options.runId);
  parked = options.runId;
  const runId = parked ?? `refund-${randomBytes(4).toString('hex')}`;
  cleanup.add(async () => (parked === undefined ? forgetRun(runId) : undefined));
  say('Looking for a Temporal server');
  const server = await startServer(runId, options.port);
  cleanup.add(() => server.stop());
  const { address, namespace, webUrl, executable = 'temporal' } = server;
  say(`Temporal server at ${address}${webUrl ? `, its web page at ${webUrl}` : ''}`);

  const model = await startModel();
  cleanup.add(() => model.close());
  say(`Model: ${model.what}`);

  say('Bundling the workflow code');
  const bundle = await writeWorkflowBundle();
  cleanup.add(() => bundle.remove());

  const startWorker = async (): Promise<WorkerProcess> => {
    say('Starting a worker in a process of its own');
    const queue = { address, namespace, taskQueue: runId };
    const worker = await startWorkerProcess(queue, bundle.path, model.env);
    cleanup.add(() => worker.stop());
    say(`Worker ${worker.pid} takes work`);
    return worker;
  };
  const place = { address, namespace, runId, temporal: executable };
  let result: RunResult;
  try {
    result = await playRun(place, options, startWorker, () => (parked = runId));
  } catch (error) {
    // Then there is nothing to go on with, and nothing to keep.
    if (error instanceof HoldpointError && error.type === 'Holdpoint.Run.NotFound') parked = undefined;
    throw error;
  }
  parked = undefined;
  showEnd(result);
  await cleanup.run();
  return result.status === 'done' ? 0 : 1;
}

/**
 * Ctrl-C parks the run; a second one ends the demo at once. npm passes on what the terminal has sent to the demo as well,
 * so what comes within a second of the first is the first.
 */
async function stop(): Promise<void> {
  if (inHaste) process.exit(130);
  if (stopping) return;
  stopping = true;
  setTimeout(() => (inHaste = true), 1_000);
  say('Stopping');
  // What is waited for may hold no handle of its own, and the process must not end before it has said what is left.
  setInterval(() => undefined, 1_000);
  await cleanup.run();
  sayParked();
  process.exit(130);
}

function sayParked(): void {
  if (parked) say(`The run is parked. To go on with it: npm run demo -- --run ${parked}`);
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options === 'help') {
    console.log(USAGE);
    return 0;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  try {
    return await demo(options);
  } catch (error) {
    // What was stopped fails in its own way, and `stop` ends the process.
    if (stopping) return 130;
    await cleanup.run();
    console.error(describe(error));
    sayParked();
    return 1;
  }
}

function describe(error: unknown): string {
  if (error instanceof HoldpointError) return `${error.type}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

void main().then((code) => {
  process.exitCode = code;
});
