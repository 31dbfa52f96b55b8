import { SearchAttributeType } from '@temporalio/common';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { createClient } from '../../src/client';
import { startTestServer, type TestServer } from '../../src/testing';
import { containing, matching } from '../support/matchers';
import { documentOf, holdpoint } from './command';

const NAMES = [
  'HoldpointAgent',
  'HoldpointStatus',
  'HoldpointWaitingFor',
  'HoldpointTenant',
  'HoldpointDeadline',
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dedicated: true, searchAttributes: false });
}, 120_000);
afterAll(() => server.stop());

const setup = (...options: readonly string[]) =>
  holdpoint(['setup', '--address', server.address, ...options], { env: {} });

test('setup says what is in the way, adds what is missing, and the second time finds it there', async () => {
  const wrong = encodeSearchAttributeIndexedValueType(SearchAttributeType.INT) ?? 0;
  await using client = await createClient({ address: server.address });
  const { operatorService } = client.temporal.connection;
  const namespace = 'default';
  await operatorService.addSearchAttributes({ namespace, searchAttributes: { HoldpointTenant: wrong } });
  const refused = await setup('--json');
  expect(refused.code).toBe(6);
  expect(documentOf(refused)).toMatchObject({
    error: {
      type: 'Holdpoint.Worker.MissingSearchAttributes',
      message: matching(
        /HoldpointTenant .* another type.* create --namespace default --name HoldpointTenant --type Keyword/,
      ),
    },
  });
  await operatorService.removeSearchAttributes({ namespace, searchAttributes: ['HoldpointTenant'] });

  const first = await setup('--json');
  expect(first.code).toBe(0);
  expect(documentOf(first)).toEqual({ address: server.address, namespace, added: NAMES, present: [] });
  const second = await setup();
  expect(second).toMatchObject({ code: 0, stdout: containing(`There already: ${NAMES.join(', ')}.`) });
  expect(await client.list()).toEqual([]);
});

test('a namespace that is not there is named, with how to create it', async () => {
  const { code, stderr } = await setup('--namespace', 'nowhere');
  expect(code).toBe(2);
  expect(stderr).toContain(
    'no namespace "nowhere". Create it, for one with `temporal operator namespace create nowhere`',
  );
});
