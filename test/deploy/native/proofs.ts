import { join } from 'node:path';
import { CUSTOMER_WRITES, REFUND_DESK } from '../../../examples/refund-desk/agent';
import { hostAnswer } from '../../../examples/refund-desk/host-answers';
import { createClient, type HoldpointClient } from '../../../src/client';
import { runCommand } from '../../../src/testing/run-command';
import { until } from '../../support/until';
import { execLines } from '../documents';
import { step } from './say';
import type { Stack } from './stack';

/** As published by the compose file. */
const ADDRESS = '127.0.0.1:7233';
const COMMAND_TIMEOUT_MS = 5 * 60_000;

/** What must hold once everything is up. Throws at the first that does not. */
export async function prove(stack: Stack, root: string): Promise<void> {
  await step('set up again, nothing changed', () => stack.upAgain());
  await step('the web page, the metrics, the API and the inbox answer', async () => {
    await expectPage('http://127.0.0.1:8080/', /<html/i);
    await expectPage('http://127.0.0.1:8080/api/v1/namespaces/default', /"name":\s*"default"/);
    await expectPage('http://127.0.0.1:8000/metrics', /^persistence_latency/m);
    await expectPage('http://127.0.0.1:9464/metrics', /^temporal_worker_task_slots_available/m);
    await expectPage('http://127.0.0.1:7080/readyz', /"configuration":"current"/);
    await expectPage('http://127.0.0.1:7080/inbox', /<html/i);
  });
  const client = await createClient({ address: ADDRESS });
  try {
    await step('a run of the worker halts, outlives server and database, and ends', () =>
      outlive(client, stack),
    );
    await step('it is counted and listed by what it waited for', () => list(client));
  } finally {
    await client.disconnect();
  }
  await step('the commands of the guide do what it says', () => commandsOf('docs/deploy.md', stack));
  await step('npm run demo -- --auto', () => command(root, 'npm', ['run', 'demo', '--', '--auto']));
  await step('the tests of lists pass on PostgreSQL', () =>
    command(root, 'npx', ['jest', 'test/client/lists', '-t', '^(requests|list|a request)']),
  );
}

async function outlive(client: HoldpointClient, stack: Stack): Promise<void> {
  let result = await client.run(REFUND_DESK, CUSTOMER_WRITES);
  await until(
    'its request is listed',
    async () => (await client.requests({ kind: 'tool_call' })).length === 1,
  );
  await stack.restart('postgres', 'temporal');
  let answers = 0;
  while (result.pending) {
    result = await client.runWithAnswer(result.runId, hostAnswer(result.pending));
    answers += 1;
  }
  if (result.status !== 'done' || answers !== 2)
    throw new Error(`Expected the run to be done after two answers, got ${result.status} after ${answers}`);
}

async function list(client: HoldpointClient): Promise<void> {
  const { workflow } = client.temporal;
  const count = async (query: string): Promise<number> => (await workflow.count(query)).count;
  await until('the run is listed as done', async () => (await client.list({ status: 'done' })).length === 1);
  const waiting = await client.run(REFUND_DESK, CUSTOMER_WRITES);
  const open = "HoldpointWaitingFor IS NOT NULL AND ExecutionStatus = 'Running'";
  await until('the waiting run is counted', async () => (await count(open)) === 1);
  if ((await count("HoldpointWaitingFor = 'kind:tool_call'")) !== 1)
    throw new Error('It is not counted by kind');
  if ((await client.requests({ kind: 'approval' })).length !== 0)
    throw new Error('It is listed by another kind');
  await client.cancel(waiting.runId);
  await client.result(waiting.runId);
}

/** `run` ends with 3, since its run then waits; what a shell would do with the output is left to the shell. */
async function commandsOf(document: string, stack: Stack): Promise<void> {
  for (const { service, command: line } of execLines(document)) {
    const [inside = ''] = line.split(' > ');
    const how = await stack.exec(service, inside);
    const expected = inside.includes('main.js run ') ? '3' : '0';
    if (how !== expected) throw new Error(`In ${service}, \`${inside}\` ended with ${how}, not ${expected}`);
  }
}

async function expectPage(url: string, pattern: RegExp): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok || !pattern.test(text))
    throw new Error(`${url} gave ${response.status} and not ${String(pattern)}:\n${text.slice(0, 500)}`);
}

async function command(root: string, file: string, args: readonly string[]): Promise<void> {
  const { failure, output } = await runCommand(file, args, {
    cwd: root,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: ADDRESS,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    },
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  if (failure !== undefined) throw new Error(`${file} ${args.join(' ')} ${failure}:\n${output}`);
}
