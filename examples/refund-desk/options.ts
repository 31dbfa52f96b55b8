import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** Answers by itself, after killing its own worker. True without a terminal. */
  readonly auto: boolean;
  /** A parked run to go on with. */
  readonly runId?: string;
  /** Port of the server that the demo starts. */
  readonly port?: number;
}

export const USAGE = `Usage: npm run demo -- [options]
  --auto        answer every request without asking, after killing the worker once; the default without a terminal
  --run <id>    go on with a run that an earlier demo left parked
  --port <n>    port of the Temporal server that the demo starts; default: a free one
  --help        show this
TEMPORAL_ADDRESS names a server to use in its place. OPENAI_API_KEY or OPENAI_BASE_URL, with OPENAI_MODEL,
names a model to use in place of the scripted one.`;

/** Throws an error whose message is for the reader. */
export function readOptions(args: readonly string[]): DemoOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      auto: { type: 'boolean', default: false },
      run: { type: 'string' },
      port: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error(`Expected --port to be a port number, got ${String(values.port)}.`);
  if (values.run !== undefined && !/^[\w-]+$/.test(values.run))
    throw new Error(
      `Expected --run to be a run id as the demo prints it, got ${JSON.stringify(values.run)}.`,
    );
  return {
    auto: values.auto || !(process.stdin.isTTY && process.stdout.isTTY),
    ...(values.run !== undefined && { runId: values.run }),
    ...(port !== undefined && { port }),
  };
}
