import { Connection } from '@temporalio/client';
import { testServer } from '../support/test-server';

test('the test run has a server, with the search attributes that runs set', async () => {
  const { address, namespace } = testServer();
  const connection = await Connection.connect({ address });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes ?? {})).toEqual(
    expect.arrayContaining(['HoldpointAgent', 'HoldpointWaitingFor', 'HoldpointDeadline']),
  );
  await connection.close();
});
