import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { HoldpointError } from '../../agent/errors';
import { toConnectTarget } from '../../temporal/connect-options';
import { onStopSignal } from '../../process/stop-signal';
import { fileError } from '../command-error';
import type { DevFlags } from '../commands/dev';
import type { ConnectionFlags } from '../connection';
import type { Output } from '../output';
import { visible } from '../../agent/visible-text';
import { startDevApi, type DevApi } from './dev-api';
import { findDevServer, type DevServer } from './dev-server';
import { DevWorker } from './dev-worker';
import { isAlive, openDevFolder } from './folder';
import { hintLines, MODEL_HINT } from './hints';
import type { WorkerProcessSettings } from './messages';

const LOOK_EVERY_MS = 2_000;

/** Runs server and worker until a signal ends it. Throws when there is no server, at the start or later. */
export async function develop(file: string, flags: DevFlags, output: Output): Promise<void> {
  if (!existsSync(file))
    throw fileError(file, `There is no file ${file}. Give the path of a file that exports agents.`);
  const folder = await openDevFolder();
  // Until there is a server, which may take a download, a signal simply ends the process.
  const server = await findDevServer({ folder, flags, output });
  const stopping = new AbortController();
  let api: DevApi | undefined;
  try {
    sayServer(server, output);
    const connection = connectionTo(server, flags);
    api = await startDevApi({ folder, flags, connection, output });
    const settings = { file, connection, bundlePath: folder.bundle, configPath: api.configPath };
    const worker = newWorker(settings, output);
    const stop = (): void => {
      output.note('Stopping');
      stopping.abort();
    };
    // The second one is from somebody who does not want to wait for what is under way.
    onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], stop, () => worker.kill());
    // The first time Temporal's packages load and the workflows are bundled: some seconds in which nothing shows.
    output.note('Starting the worker');
    worker.start();
    try {
      await untilOver(server, stopping.signal);
    } finally {
      await worker.stop();
    }
  } finally {
    await api?.close();
    await server.stop();
  }
  const where = server.isConfigured ? '' : ' in .holdpoint';
  output.entry({ event: 'ended' }, `Stopped. Runs that wait are kept${where}.`);
}

/** What a worker, and the commands that are shown, need to reach the server. */
function connectionTo({ address }: DevServer, flags: DevFlags): ConnectionFlags {
  const { namespace, taskQueue, searchAttributes, dataOptions } = flags;
  return {
    ...(address !== toConnectTarget({}).address && { address }),
    ...(namespace !== undefined && { namespace }),
    ...(taskQueue !== undefined && { taskQueue }),
    ...(searchAttributes !== undefined && { searchAttributes }),
    ...(dataOptions !== undefined && { dataOptions }),
  };
}

async function untilOver({ pid, address }: DevServer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const stopped = once(signal, 'abort');
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_, reject) => {
    if (pid === undefined) return;
    timer = setInterval(() => {
      if (isAlive(pid)) return;
      const message = `The Temporal server at ${address} has ended. Its database is kept: start \`holdpoint dev\` again.`;
      reject(new HoldpointError('Holdpoint.Server.Failed', message, { address }));
    }, LOOK_EVERY_MS);
  });
  try {
    await Promise.race([stopped, lost]);
  } finally {
    clearInterval(timer);
  }
}

function sayServer({ address, webUrl, isConfigured }: DevServer, output: Output): void {
  const { bold } = output.style;
  const whose = isConfigured ? 'as configured' : 'its database is .holdpoint/temporal.db';
  const lines = [
    `Temporal server  ${bold(visible(address))} (${whose})`,
    ...(webUrl === undefined ? [] : [`Temporal's page  ${bold(webUrl)}`]),
  ];
  output.entry({ event: 'server', address, ...(webUrl !== undefined && { webUrl }) }, lines.join('\n'));
}

function newWorker(settings: WorkerProcessSettings, output: Output): DevWorker {
  const { connection } = settings;
  let first = true;
  return new DevWorker(settings, output.json ? 'stderr' : 'inherit', {
    onReady({ agents, hasModels, tryText }, pid) {
      const lines = [`Worker           ${output.style.bold(agents.join(', '))} (process ${pid ?? ''})`];
      if (first) {
        if (!hasModels && !process.env['OPENAI_API_KEY'] && !process.env['OPENAI_BASE_URL'])
          output.warning(MODEL_HINT);
        lines.push(...hintLines({ agent: agents[0] ?? '', text: tryText }, connection));
      }
      first = false;
      output.entry({ event: 'ready', agents, pid }, lines.join('\n'));
    },
    onFailed(message) {
      output.warning(message);
      output.entry({ event: 'failed', message }, 'Waiting for a change');
    },
    onChanged: () => output.entry({ event: 'changed' }, 'Changed: starting the worker again'),
    onEnded(how, restarts) {
      output.warning(`The worker ended by itself (${how}).`);
      const next = restarts ? 'Starting it again' : 'Waiting for a change';
      output.entry({ event: 'worker-ended', how, restarts }, next);
    },
  });
}
