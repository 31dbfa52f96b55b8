import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { TLSSocket } from 'node:tls';
import { deliver, type DeliveryOutcome } from '../../src/webhooks/deliver';
import { builtPackage } from '../cli/built-package';
import { commandEnvironment } from '../cli/command';
import { certificateFor, type TestCertificate } from './certificates';
import { SECRET } from './events';
import { verified, type Received } from './receiver';

const NAME = 'hooks.example.com';
const EVENT = { webhookId: 'msg_1', body: '{"type":"run.done"}' };

let folder: string;
let certificate: TestCertificate;
let server: Server;
let port: number;
/** What came through TLS, and which name the client asked for. */
const received: (Received & { readonly servername: unknown })[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-tls-'));
  certificate = certificateFor(NAME, folder);
  server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    void text(request).then((body) => {
      const { servername } = request.socket as TLSSocket;
      received.push({ headers: request.headers, body, servername });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => received.splice(0));
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The name of nobody's machine, found at this one: only what the guard has resolved and judged is dialled. */
const found = (name: string) => ({
  url: `https://${name}:${port}/hook`,
  options: { allow: [`${name}:${port}`], resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
});

/** One attempt of another process, to which the authority is known. */
async function deliverTrusting(name: string): Promise<DeliveryOutcome> {
  const { url, options } = found(name);
  const program = `
    const { deliver } = require(${JSON.stringify(join(builtPackage(), 'lib/webhooks/deliver.js'))});
    const options = { ...${JSON.stringify(options)}, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
    const endpoint = ${JSON.stringify({ url, secrets: [SECRET] })};
    deliver(endpoint, ${JSON.stringify(EVENT)}, options).then((outcome) => console.log(JSON.stringify(outcome)));`;
  const env = commandEnvironment({ NODE_EXTRA_CA_CERTS: certificate.authority });
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { env });
  return JSON.parse(stdout) as DeliveryOutcome;
}

test('a receiver whose certificate nobody vouches for gets nothing, and is tried again', async () => {
  const { url, options } = found(NAME);
  await expect(deliver({ url, secrets: [SECRET] }, EVENT, options)).resolves.toEqual({
    is: 'retry',
    reason: 'the connection failed (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  });
  expect(received).toEqual([]);
});

test('a receiver whose authority is known is told, by its own name though its address was dialled', async () => {
  await expect(deliverTrusting(NAME)).resolves.toEqual({ is: 'delivered', status: 204 });
  expect(received).toMatchObject([{ servername: NAME, headers: { host: `${NAME}:${port}` } }]);
  expect(received.map((request) => verified(request, SECRET))).toEqual([{ type: 'run.done' }]);
});

test('a certificate of another name is refused though its authority is known', async () => {
  await expect(deliverTrusting('other.example.com')).resolves.toEqual({
    is: 'retry',
    reason: 'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
  });
  expect(received).toEqual([]);
});
