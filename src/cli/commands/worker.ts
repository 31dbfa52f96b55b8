import type { Command } from 'commander';
import { resolve } from 'node:path';
import { errorMessage, HoldpointError } from '../../agent/errors';
import { configPath } from '../../config/read-config';
import type { WebhookOptions, WorkerLogger } from '../../worker';
import { toConnectTarget } from '../../temporal/connect-options';
import { loadAgentsFile } from '../agents-file';
import { connectingOptions, connectionOf, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';
import { duration } from '../values';

interface WorkerFlags extends ConnectionFlags, OutputOptions {
  readonly workflowBundle?: string;
  readonly grace?: number;
  readonly config?: string;
}

export function workerCommand(): Command {
  const command = newCommand('worker', {
    summary: 'carry out the runs of the agents in a file, in production',
    details:
      'SIGTERM or Ctrl-C lets what is under way finish, within the grace time, and then ends it with 0. Logs are lines of JSON on standard error; HOLDPOINT_LOG_LEVEL says which',
    examples: [
      'holdpoint worker dist/agents.js',
      'holdpoint worker agents.ts --task-queue refunds --grace 60s',
    ],
    exits: ['done', 'unavailable'],
  })
    .argument('<file>', 'TypeScript or JavaScript; exports agents, by default or as `agents`')
    .option(
      '--grace <duration>',
      'how long calls may go on once it is told to stop (default: the file’s, or 20s)',
      duration,
    )
    .option(
      '--config <file>',
      'the configuration with the webhooks to tell (default: HOLDPOINT_CONFIG, or holdpoint.config.json)',
    )
    .option(
      '--workflow-bundle <file>',
      'workflow code that `bundleWorkflows` made (default: made at the start)',
    );
  return withJson(
    withConnection(command, { taskQueue: true }),
    'print a line of JSON when it takes work and when it has ended',
  ).action(work);
}

async function work(file: string, flags: WorkerFlags): Promise<void> {
  await carryOut(flags, async (output) => {
    const options = await loadAgentsFile(file, { compile: 'typescript' });
    const { createWorker } = await import('../../worker.js');
    const webhooks = await webhooksOf(flags, options.logger);
    const worker = await createWorker({
      ...(webhooks && { webhooks }),
      ...options,
      ...(await connectingOptions(flags)),
      ...(flags.grace !== undefined && { shutdownGraceTime: flags.grace }),
      ...(flags.workflowBundle !== undefined && {
        workflowBundle: { codePath: resolve(flags.workflowBundle) },
      }),
    });
    const running = worker.run();
    const agents = options.agents.map(({ name }) => name);
    const { taskQueue = 'holdpoint' } = flags;
    output.entry(
      { event: 'ready', agents, taskQueue, pid: process.pid },
      `Worker ${process.pid} takes work of task queue "${taskQueue}" for ${agents.join(', ')}.`,
    );
    await running.catch((error: unknown) => {
      throw lostServer(error, flags);
    });
    output.entry({ event: 'ended' }, 'Worker has ended: nothing is under way here any more.');
    return EXIT.done;
  });
  // Timers and connections of the agents' own would keep the process alive; what was written is out.
  process.stdout.write('', () => process.exit());
}

/** A worker that runs waits for its server as long as it takes; one that has just connected gives up. */
function lostServer(cause: unknown, flags: WorkerFlags): unknown {
  if (!/Unavailable|tcp connect|transport/i.test(errorMessage(cause))) return cause;
  const { address, namespace } = toConnectTarget(connectionOf(flags));
  return new HoldpointError(
    'Holdpoint.Worker.Unreachable',
    `The Temporal server at ${address} went away while the worker was starting. Start the worker again when the server is there.`,
    { address, namespace },
    { cause },
  );
}

/** Those of the configuration, which is followed while the worker runs; an agents file may set its own instead. */
async function webhooksOf(
  { config }: WorkerFlags,
  given: WorkerLogger | undefined,
): Promise<WebhookOptions | undefined> {
  const path = configPath(config);
  if (path === undefined) return undefined;
  const { openConfig } = await import('../../config/live-config.js');
  const { configuredWebhooks } = await import('../../webhooks/configured.js');
  const { watchWebhooks } = await import('../../webhooks/watch-webhooks.js');
  const { defaultLogger } = await import('../../worker/logger.js');
  const logger = given ?? defaultLogger();
  const live = await openConfig(path, { logger });
  watchWebhooks(live, logger);
  return configuredWebhooks(live);
}
