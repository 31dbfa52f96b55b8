import { Connection, type ConnectionLike } from '@temporalio/client';
import { ensureSearchAttributes } from '../../src/worker/search-attributes';
import { testServer } from '../support/test-server';

let real: Connection;

beforeAll(async () => {
  real = await Connection.connect({ address: testServer().address });
});
afterAll(() => real.close());

/** The real server, whose operator service answers the first times that it does not know the namespace. */
function forgetful(times: number): { connection: ConnectionLike; asked: () => number } {
  let asked = 0;
  const operatorService = new Proxy(real.operatorService, {
    get(service, name, receiver) {
      if (name !== 'listSearchAttributes') return Reflect.get(service, name, receiver) as unknown;
      return async (request: { namespace: string }) => {
        asked += 1;
        if (asked <= times) throw Object.assign(new Error('Namespace default is not found.'), { code: 5 });
        return service.listSearchAttributes(request);
      };
    },
  });
  const connection = new Proxy<ConnectionLike>(real, {
    get: (target, name) =>
      name === 'operatorService' ? operatorService : (Reflect.get(target, name, target) as unknown),
  });
  return { connection, asked: () => asked };
}

test('a namespace that was made a moment ago is waited for: not all of the server knows it at once', async () => {
  const { connection, asked } = forgetful(3);
  const { added, present } = await ensureSearchAttributes(connection, 'default');
  expect(asked()).toBe(4);
  expect([...added, ...present]).toHaveLength(5);
});
