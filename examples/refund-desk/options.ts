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

/** Throws an error whose message is for the reader: nothing that was given is left out silently. */
export function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): DemoOptions | 'help' {
  refuseKeptByNpm(env);
  const { values, tokens } = parseArgs({
    args: [...args],
    tokens: true,
    options: {
      auto: { type: 'boolean', default: false },
      run: { type: 'string' },
      port: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const names = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`Expected --${twice} once.`);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(/^\d+$/.test(values.port ?? '') && port > 0 && port < 65_536))
    throw new Error(`Expected --port to be a port number, got ${JSON.stringify(values.port)}.`);
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

/** Without the `--` before it npm takes an option for one of its own, and the demo would run without it. */
function refuseKeptByNpm(env: NodeJS.ProcessEnv): void {
  const kept = ['auto', 'run', 'port'].find((name) => env[`npm_config_${name}`] !== undefined);
  if (kept !== undefined)
    throw new Error(`npm kept --${kept} for itself. Write -- before it: npm run demo -- --${kept} …`);
}
