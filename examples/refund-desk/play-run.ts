import { setTimeout as delay } from 'node:timers/promises';
import type { PendingResult, Request, RunResult } from 'holdpoint';
import { createClient, type HoldpointClient } from 'holdpoint/client';
import { CUSTOMER_WRITES, REFUND_DESK } from './agent';
import { hostAnswer } from './host-answers';
import type { DemoOptions } from './options';
import { startSite, type Site } from './site';
import { say, showRequests, showWaysToAnswer, type Links } from './show';
import type { RunPlace } from './ways-to-answer';
import type { WorkerProcess } from './worker-process';

const LOOK_EVERY_MS = 500;

/** Plays the run from its start, or from where it is parked, to its end. */
export async function playRun(
  place: RunPlace,
  options: DemoOptions,
  startWorker: () => Promise<WorkerProcess>,
  onStarted: () => void,
): Promise<RunResult> {
  const { address, namespace, runId } = place;
  await using client = await createClient({ address, namespace, taskQueue: runId });
  const site = await startSite(client);
  try {
    return await playWith(client, site, place, options, startWorker, onStarted);
  } finally {
    await site.close();
  }
}

async function playWith(
  client: HoldpointClient,
  site: Site,
  place: RunPlace,
  { auto, runId: parked }: DemoOptions,
  startWorker: () => Promise<WorkerProcess>,
  onStarted: () => void,
): Promise<RunResult> {
  const { runId } = place;
  say(`Inbox: ${site.inbox}, sign in with ${site.key}`);
  let worker = await startWorker();
  // Parked or even ended, a run to go on with is there. `start` would begin another one under its id.
  if (parked === undefined) await client.start(REFUND_DESK, CUSTOMER_WRITES, { runId });
  else await client.get(runId, { messages: false });
  onStarted();
  say(`Run ${runId}: "${CUSTOMER_WRITES}"`);

  let result = await client.waitForHalt(runId);
  for (let halts = 1; result.status === 'pending'; halts += 1) {
    say('The run waits. It holds no worker meanwhile');
    showRequests(result, await linksTo(site, result));
    if (auto && halts === 1) {
      await worker.kill();
      say(`Killed worker ${worker.pid} with SIGKILL; the run still waits`);
      const { pid } = worker;
      worker = await startWorker();
      say(
        `Waiting for Temporal to notice that worker ${pid} is gone: it kept the run's next step for it, some ten seconds`,
      );
    }
    result = auto ? await answer(client, result) : await untilAnswered(client, result, place);
  }
  return result;
}

/** Where each open request is answered, by its id. */
async function linksTo(site: Site, { runId, requests }: PendingResult): Promise<ReadonlyMap<string, Links>> {
  const links = requests.map(async (request) => {
    const link = await site.linkTo(runId, request);
    return [request.id, { link, page: site.pageOf(runId, request) }] as const;
  });
  return new Map(await Promise.all(links));
}

/** What a host does, hours later and in any process. */
async function answer(client: HoldpointClient, { runId, pending }: PendingResult): Promise<RunResult> {
  const given = hostAnswer(pending);
  say(`Answering ${JSON.stringify(given)}`);
  return client.runWithAnswer(runId, given);
}

async function untilAnswered(
  client: HoldpointClient,
  halted: PendingResult,
  place: RunPlace,
): Promise<RunResult> {
  showWaysToAnswer(halted, place);
  say('Waiting for an answer. Ctrl-C parks the run');
  const shown = idsOf(halted.requests);
  for (;;) {
    // A look is a query: it writes nothing to the run's history, however long this takes.
    const now = await client.get(halted.runId, { messages: false });
    if (now.status !== 'pending' || idsOf(now.requests) !== shown) break;
    await delay(LOOK_EVERY_MS);
  }
  say('Answered');
  return client.waitForHalt(halted.runId);
}

function idsOf(requests: readonly Request[] = []): string {
  return requests.map((request) => request.id).join();
}
