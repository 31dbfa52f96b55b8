import { msToTs } from '@temporalio/common/lib/time';
/** The commands of the guide that are marked `run`, typed one after the other in an empty folder. */
import { randomUUID } from 'node:crypto';
import { createClient, type HoldpointClient } from '../../src/client';
import { findServerBinary, INSTALLED } from '../../src/testing/server-binary';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { blocksOf } from './blocks';
import { Reader, type Typed } from './reader';

/** A namespace of the reader's own: the guide has ids and a task queue that others might use. */
const namespace = `guide-${randomUUID()}`;
const { address } = testServer();
const lines = blocksOf('docs/guide.md')
  .filter(({ marks }) => marks.run)
  .flatMap(({ text }) => text.trim().split('\n'));

let client: HoldpointClient;
let reader: Reader;

beforeAll(async () => {
  client = await createClient({ address, namespace });
  const { workflowService } = client.temporal;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  // The server's other parts hear of a namespace some seconds later.
  const isKnown = async (): Promise<boolean> =>
    workflowService.countWorkflowExecutions({ namespace }).then(
      () => true,
      () => false,
    );
  await until('the server knows the namespace', isKnown);
  const temporal = await findServerBinary({ env: process.env, onProgress: () => undefined }, INSTALLED, []);
  reader = new Reader(temporal, { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
}, 120_000);
afterAll(async () => {
  await reader?.leave();
  await client?.disconnect();
});

/** Fills in what the reader has to look up. */
async function filledIn(line: string): Promise<string> {
  const [, runId] = /--workflow-id (\S+).*<request>/.exec(line) ?? [];
  if (runId === undefined) return line;
  const { pending } = await client.waitForHalt(runId, { messages: false });
  return line.replace('<request>', pending?.id ?? '');
}

test('whoever types them one after the other has a project, a halt and two answers', async () => {
  const typed = new Map<string, Typed>();
  for (const line of lines) {
    if (line === 'npm run dev') {
      await reader.start(line, /Worker +desk /);
      continue;
    }
    const result = await reader.type(await filledIn(line));
    // A run that halts ends its command with 3.
    const expected = line.startsWith('npx holdpoint run ') ? 3 : 0;
    expect({ line, ...result }).toMatchObject({ line, code: expected });
    typed.set(line, result);
  }
  const said = (beginning: string): string =>
    [...typed].find(([line]) => line.startsWith(beginning))?.[1].output ?? '';
  expect(said('npm test')).toMatch(/pass 2\b/);
  expect(said('npx holdpoint run desk')).toContain('Run ticket-77 waits for an answer.');
  expect(said('npx holdpoint show ticket-77')).toContain('lookup_order');
  expect(said('npx holdpoint answer ticket-77')).toContain('Paid 89.9 EUR back for order 1047.');
  expect(said('npx holdpoint show ticket-78')).toContain('Paid 24.5 EUR back for order 1052.');
  const receipts = await client.get('ticket-78');
  expect(receipts.receipts).toMatchObject([{ via: 'signal' }]);
}, 300_000);

test('they are the ones that a newcomer needs', () => {
  for (const command of ['init', 'run', 'requests', 'answer', 'show'])
    expect(lines.join('\n')).toContain(`npx holdpoint ${command} `.trimEnd());
  expect(lines.join('\n')).toContain('temporal workflow signal');
});
