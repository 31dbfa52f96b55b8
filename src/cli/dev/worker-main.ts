/** The process of the worker of `holdpoint dev`: one version of the file, until it is told to end. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { isRecord } from '../../agent/json';
import { openConfig } from '../../config/live-config';
import { watchWebhooks } from '../../webhooks/watch-webhooks';
import { bundleWorkflows, configuredWebhooks, createWorker, type WorkerLogger } from '../../worker';
import { loadAgentsFile } from '../agents-file';
import { connectingOptions } from '../connection';
import { ignoreLostOutput } from '../lost-output';
import { describeFailure } from '../output';
import { visible } from '../../agent/visible-text';
import { textToTry } from './hints';
import type { WorkerMessage, WorkerProcessSettings } from './messages';

/** Calls under way may finish for so long when the file changes or `dev` ends. */
const GRACE_MS = 5_000;

async function main({ file, connection, bundlePath, configPath }: WorkerProcessSettings): Promise<void> {
  const paths = new Set<string>();
  const load = loadAgentsFile(file, { compile: 'always', onModule: (path) => paths.add(path) });
  const options = await load.finally(() => tell({ is: 'modules', paths: [...paths] }));
  if (!existsSync(bundlePath)) await makeBundle(bundlePath);
  const config = await openConfig(configPath, { logger: plainLogger });
  watchWebhooks(config, plainLogger);
  const worker = await createWorker({
    logger: plainLogger,
    shutdownGraceTime: GRACE_MS,
    webhooks: configuredWebhooks(config),
    ...options,
    ...(await connectingOptions(connection)),
    workflowBundle: { codePath: bundlePath },
  });
  const running = worker.run();
  const { agents, models } = options;
  await tell({
    is: 'ready',
    agents: agents.map(({ name }) => name),
    hasModels: models !== undefined,
    tryText: textToTry(agents[0]),
  });
  await running;
}

async function makeBundle(path: string): Promise<void> {
  const { code } = await bundleWorkflows();
  const own = `${path}.${process.pid}`;
  await writeFile(own, code);
  await rename(own, path);
}

/** Resolves when it is on its way: the process may end right after it. */
function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}

/** What matters to somebody who writes agents; the rest is Temporal's talk about itself. */
const plainLogger: WorkerLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => log('warning', fields, message),
  error: (fields, message) => log('error', fields, message),
};

function log(level: string, fields: object, message: string): void {
  const { error, workflowId, activityType }: Record<string, unknown> = { ...fields };
  const about = [activityType, workflowId].filter((part) => typeof part === 'string').join(' of ');
  const detail = isRecord(error) && typeof error['message'] === 'string' ? `: ${error['message']}` : '';
  process.stderr.write(visible(`worker ${level}: ${message}${about && ` (${about})`}${detail}`) + '\n');
}

// A terminal that was closed ends `dev`, which lets calls under way finish.
ignoreLostOutput();
// `dev` is gone, in whatever way: nobody else ends this process.
process.once('disconnect', () => process.exit());
main(JSON.parse(process.argv[2] ?? '') as WorkerProcessSettings).then(
  () => process.exit(),
  async (error: unknown) => {
    const { info, code } = describeFailure(error);
    if (process.env['HOLDPOINT_DEBUG']) console.error(error);
    await tell({ is: 'failed', message: info.message });
    process.exit(code);
  },
);
