import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { freePort, startTestServer, type TestServer } from '../../src/testing';
import { createWorker } from '../../src/worker';
import { defineAgent } from '../../src/tools';
import { holdpointError } from '../support/matchers';
import { testServer } from '../support/test-server';
import { workflowBundle } from '../support/workflow-bundle';

const agents = [defineAgent({ name: 'desk', model: 'm' })];
const taskQueue = 'connect-test';

describe('a worker without its server', () => {
  it('says within seconds which address does not answer and what to do', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const begun = Date.now();
    await expect(createWorker({ agents, address })).rejects.toEqual(
      holdpointError('Holdpoint.Worker.Unreachable', /connection refused.*TEMPORAL_ADDRESS/, { address }),
    );
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  it('says so of a host that does not exist', async () => {
    await expect(createWorker({ agents, address: 'no-such-host.invalid:7233' })).rejects.toEqual(
      holdpointError('Holdpoint.Worker.Unreachable', /no-such-host\.invalid:7233/),
    );
  });

  it('says which namespace is missing', async () => {
    const { address } = testServer();
    await expect(createWorker({ agents, address, namespace: 'no-such' })).rejects.toEqual(
      holdpointError('Holdpoint.Worker.Unreachable', /namespace "no-such"/, { namespace: 'no-such' }),
    );
  });
});

describe('a connection that was given', () => {
  it('is named in the error instead of an address that nobody used', async () => {
    const connection = await NativeConnection.connect({ address: testServer().address });
    await expect(createWorker({ agents, connection, namespace: 'no-such' })).rejects.toEqual(
      holdpointError('Holdpoint.Worker.Unreachable', /behind `connection`.*"no-such"/),
    );
    await connection.close();
  });
});

describe('a namespace without the search attributes', () => {
  let server: TestServer;
  let shared: Omit<Parameters<typeof createWorker>[0], 'searchAttributes'>;

  beforeAll(async () => {
    server = await startTestServer({ dedicated: true, searchAttributes: false });
    const { namespace } = server;
    shared = { agents, taskQueue, namespace, workflowBundle: await workflowBundle() };
  });
  afterAll(() => server.stop());

  const attributes = async (): Promise<string[]> => {
    const connection = await Connection.connect({ address: server.address });
    try {
      const { namespace } = server;
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      return Object.keys(customAttributes).filter((name) => name.startsWith('Holdpoint'));
    } finally {
      await connection.close();
    }
  };

  it('is left as it is by a worker that does without', async () => {
    const worker = await createWorker({ ...shared, address: server.address, searchAttributes: 'none' });
    await worker.shutdown();
    expect(await attributes()).toEqual([]);
  });

  it('stops a worker that may not add them, which names what to run', async () => {
    const connection = await NativeConnection.connect({ address: server.address });
    // As Temporal Cloud answers: search attributes are changed elsewhere there.
    const forbidden = jest
      .spyOn(connection.operatorService, 'addSearchAttributes')
      .mockRejectedValue(new Error('7 PERMISSION_DENIED: Request unauthorized.'));
    await expect(createWorker({ ...shared, connection })).rejects.toEqual(
      holdpointError(
        'Holdpoint.Worker.MissingSearchAttributes',
        /HoldpointAgent.*PERMISSION_DENIED.*holdpoint setup.*'none'/,
        { names: expect.arrayContaining(['HoldpointWaitingFor']) as unknown },
      ),
    );
    expect(forbidden).toHaveBeenCalled();
    await connection.close();
  });

  it('is completed by two workers that start at once', async () => {
    const here = { ...shared, address: server.address };
    const workers = await Promise.all([createWorker(here), createWorker(here)]);
    await Promise.all(workers.map((worker) => worker.shutdown()));
    expect((await attributes()).sort()).toEqual([
      'HoldpointAgent',
      'HoldpointDeadline',
      'HoldpointStatus',
      'HoldpointTenant',
      'HoldpointWaitingFor',
    ]);
  });

  it('lets a worker start that may use them but not list them', async () => {
    const connection = await NativeConnection.connect({ address: server.address });
    jest
      .spyOn(connection.operatorService, 'listSearchAttributes')
      .mockRejectedValue(new Error('7 PERMISSION_DENIED: Request unauthorized.'));
    const worker = await createWorker({ ...shared, connection });
    await worker.shutdown();
    await connection.close();
  });

  it('stops a worker when one of them has another type', async () => {
    const connection = await NativeConnection.connect({ address: server.address });
    const listed = await connection.operatorService.listSearchAttributes({ namespace: server.namespace });
    const customAttributes = { ...listed.customAttributes, HoldpointStatus: 1 };
    jest
      .spyOn(connection.operatorService, 'listSearchAttributes')
      .mockResolvedValue(Object.assign(listed, { customAttributes }));
    await expect(createWorker({ agents, connection, namespace: server.namespace })).rejects.toEqual(
      holdpointError('Holdpoint.Worker.MissingSearchAttributes', /HoldpointStatus.*another type/),
    );
    await connection.close();
  });
});
