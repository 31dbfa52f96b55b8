import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findServerBinary } from '../../src/testing/server-binary';
import { testServer } from '../support/test-server';

/** What another SDK, or a person at a terminal, may send. */
export const BOGUS = ['--input', 'abc', '--input-meta', 'encoding=binary/bogus'] as const;

/** Runs `temporal workflow …` against the test's server, as a person at a terminal does; gives what it printed. */
export async function temporalWorkflow(...args: readonly string[]): Promise<string> {
  const { address, namespace } = testServer();
  const command = await findServerBinary({ onProgress: () => undefined, env: process.env });
  const target = ['--address', address, '--namespace', namespace];
  const { stdout } = await promisify(execFile)(command, ['workflow', ...args, ...target]);
  return stdout;
}
