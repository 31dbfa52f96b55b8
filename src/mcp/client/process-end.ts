import { ChildProcess } from 'node:child_process';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Milliseconds in which the last of what a process wrote is read. */
const LAST_WORDS_MS = 500;

/**
 * Lets a connection end with its process. The SDK waits until nobody has the pipes any more, and a helper that the server
 * started may keep the one of standard error for ever: no call would be answered, and none would connect anew.
 */
export function endingWithProcess(transport: StdioClientTransport): StdioClientTransport {
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const child: unknown = Reflect.get(transport, '_process');
    if (!(child instanceof ChildProcess)) return;
    const { stdout, stderr } = child;
    const release = (): void => {
      setTimeout(() => stderr?.destroy(), LAST_WORDS_MS).unref();
    };
    child.once('exit', () => {
      // What still has standard output may be the server, which a launcher has started.
      if (!stdout || stdout.destroyed) release();
      else stdout.once('close', release);
    });
  };
  return transport;
}
