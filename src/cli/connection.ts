import { Option, type Command } from 'commander';
import type { HoldpointClient } from '../client';
import type { DataOptions } from '../temporal/data-options';
import { inCommandWords } from './command-words';
import { loadDataOptions } from './data-options';
import type { Output } from './output';
import { shellQuote } from './shell-quote';

/** Where the runs are. What is left out is as everywhere: from the TEMPORAL_ variables, or Temporal's TOML file. */
export interface ConnectionFlags {
  readonly address?: string;
  readonly namespace?: string;
  readonly taskQueue?: string;
  readonly searchAttributes?: 'full' | 'none';
  /** A file that exports `payloadCodecs`, `payloadStore` or both. */
  readonly dataOptions?: string;
  /** Whose runs are meant. Without one, all of them, by ids that begin with the tenant's name. */
  readonly tenant?: string;
}

/**
 * Adds the options that say where the runs are. `taskQueue` is for commands that start or carry out runs, `tenant` for
 * those that do what a client does.
 */
export function withConnection(
  command: Command,
  takes: { readonly taskQueue?: true; readonly tenant?: true } = {},
): Command {
  command
    .option('--address <host:port>', 'Temporal server (default: TEMPORAL_ADDRESS, or 127.0.0.1:7233)')
    .option('--namespace <name>', 'Temporal namespace (default: TEMPORAL_NAMESPACE, or default)');
  if (takes.taskQueue)
    command.option('--task-queue <name>', 'where clients and workers meet (default: holdpoint)');
  if (takes.tenant)
    command.addOption(
      new Option('--tenant <name>', 'only the runs of this tenant, by its own ids').env('HOLDPOINT_TENANT'),
    );
  command.addOption(
    new Option(
      '--data-options <file>',
      'exports `payloadCodecs`, `payloadStore`: how what is said is encoded and kept',
    ).env('HOLDPOINT_DATA_OPTIONS'),
  );
  return command.addOption(
    new Option(
      '--search-attributes <mode>',
      '`none` for a namespace without them: lists are then empty',
    ).choices(['full', 'none']),
  );
}

/** The flags as `createClient` and `createWorker` take them. */
export function connectionOf({ address, namespace, taskQueue, searchAttributes }: ConnectionFlags) {
  return {
    ...(address !== undefined && { address }),
    ...(namespace !== undefined && { namespace }),
    ...(taskQueue !== undefined && { taskQueue }),
    ...(searchAttributes !== undefined && { searchAttributes }),
  };
}

/** The same, with what the file of `--data-options` exports. */
export async function connectingOptions(
  flags: ConnectionFlags,
): Promise<ReturnType<typeof connectionOf> & DataOptions> {
  const { dataOptions } = flags;
  return { ...connectionOf(flags), ...(dataOptions !== undefined && (await loadDataOptions(dataOptions))) };
}

/** Connects, and closes the connection whatever happens. The client's warnings go to standard error. */
export async function withClient<T>(
  flags: ConnectionFlags,
  output: Output,
  use: (client: HoldpointClient) => Promise<T>,
): Promise<T> {
  // Temporal's packages take most of a second to load, and `--help` needs none of them.
  const { createClient } = await import('../client.js');
  const client = await createClient({
    ...(await connectingOptions(flags)),
    logger: { warn: (_, message) => output.warning(inCommandWords(message)) },
  });
  try {
    return await use(flags.tenant === undefined ? client : client.forTenant(flags.tenant));
  } finally {
    await client.disconnect();
  }
}

/** What a command that is shown must repeat to reach the same runs from the same shell. */
export function repeatedFlags({ address, namespace, dataOptions, tenant }: ConnectionFlags): string {
  const flags = [
    ...(address === undefined ? [] : ['--address', address]),
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
    ...(dataOptions === undefined ? [] : ['--data-options', dataOptions]),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
  ];
  return flags.map((flag) => ` ${shellQuote(flag)}`).join('');
}
