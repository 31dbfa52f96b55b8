/**
 * Records the histories that `replay.test.ts` replays: `npm run record-histories`. Only for a change that is
 * meant to be recorded: runs that are open now have the histories that lie here.
 */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { startTestServer, toHistoryJson, type TestServer } from '../../src/testing';
import { openDesk, type Desk } from '../client/desk';
import { CARRIED_SHAPES, CONVERSATION_SHAPES } from './conversation-shapes';
import { openReceiver } from '../webhooks/receiver';
import { NOTIFY_SHAPES, webhooksTo } from './notify-shapes';
import { agents, host, HOSTED_SHAPES, RUN_SHAPES, type Shape } from './shapes';

const ROOT = join(__dirname, '../..');

const onProgress = (line: string): boolean => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  process.env['HOLDPOINT_LOG_LEVEL'] ??= 'silent';
  for (const file of await readdir(__dirname)) if (file.endsWith('.json')) await rm(join(__dirname, file));

  await withServer({}, async (server) => {
    await withDesk(await openDesk(agents, server), { ...RUN_SHAPES, ...CONVERSATION_SHAPES });
    const hosted = await openDesk(agents, server, { waitFor: host, waitForTimeoutMs: 1_500 });
    await withDesk(hosted, HOSTED_SHAPES);
    await recordNotifying(server);
  });
  await withServer({ 'limit.historyCount.suggestContinueAsNew': 40 }, async (server) => {
    await withDesk(await openDesk(agents, server), CARRIED_SHAPES);
  });
}

async function recordNotifying(server: TestServer): Promise<void> {
  const receivers = [await openReceiver(), await openReceiver([{ status: 503 }])] as const;
  try {
    await withDesk(await openDesk(agents, server, { webhooks: webhooksTo(...receivers) }), NOTIFY_SHAPES);
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

async function withServer(
  dynamicConfig: Record<string, number>,
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer({ dedicated: true, dynamicConfig, onProgress });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

async function withDesk(desk: Desk, shapes: Readonly<Record<string, Shape>>): Promise<void> {
  try {
    for (const [name, shape] of Object.entries(shapes)) await record(desk, name, await shape(desk));
  } finally {
    await desk.close();
  }
}

/** Writes one file an execution: the parts of a chain are numbered from 1. */
async function record(desk: Desk, name: string, workflowId: string): Promise<void> {
  const { workflow } = desk.client.temporal;
  const description = await workflow.getHandle(workflowId).describe();
  const parts: string[] = [];
  let next = description.raw.workflowExecutionInfo?.firstRunId;
  while (next) {
    const history = await workflow.getHandle(workflowId, next).fetchHistory();
    parts.push(anonymous(toHistoryJson(history)));
    next = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  for (const [n, part] of parts.entries()) {
    const file = parts.length === 1 ? `${name}.json` : `${name}-${n + 1}.json`;
    await writeFile(join(__dirname, file), part);
    onProgress(`${file}: ${part.length} bytes`);
  }
}

/** The machine and the process that happen to record are nobody's business later. */
function anonymous(text: string): string {
  return text.replaceAll(`${process.pid}@${hostname()}`, 'recorder').replaceAll(ROOT, '.');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
