import { startTestServer } from '../../src/testing';

/** A process that starts a server, says its id and then does nothing until it is killed. */
async function main(): Promise<void> {
  const server = await startTestServer({ dedicated: true, port: Number(process.argv[2]) });
  process.stdout.write(String(server.pid));
  process.stdin.resume();
  setInterval(() => undefined, 60_000);
}

void main();
