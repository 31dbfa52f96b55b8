import { ServerProcess } from '../../src/testing/server-process';

// Silent, unlike a server, which would also end by writing to a pipe that nobody reads any more.
const server = new ServerProcess(process.execPath, ['-e', 'setInterval(() => undefined, 60_000)']);
process.stdout.write(String(server.pid));
if (process.argv[2] === 'exit') process.exitCode = 0;
else setInterval(() => undefined, 60_000);
server.unref();
