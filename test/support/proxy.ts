import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { testServer } from './test-server';

/** A way to the server that can be cut. */
export async function openProxy() {
  const [host = '', port = ''] = testServer().address.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((inner) => {
    if (isCut) {
      refused += 1;
      return inner.destroy();
    }
    const outer = createConnection(Number(port), host);
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [inner, outer].forEach((one) => one.destroy()));
    }
    inner.pipe(outer);
    outer.pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** How many connections were refused since. */
    refused: () => refused,
    close() {
      cut();
      server.close();
    },
  };
}
