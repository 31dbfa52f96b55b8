import { isRecord } from '../agent/json';
import type { WorkerOptions } from '../worker';
import { fileError } from './command-error';
import { exportsOf, importFile, type LoadOptions } from './import-file';

/** What a file may say of its worker. Where the worker runs is the command's to say. */
export type AgentsFile = Omit<WorkerOptions, Place>;

type Place = 'connection' | 'address' | 'namespace' | 'tls' | 'apiKey' | 'taskQueue' | 'searchAttributes';

const PLACES: Readonly<Record<Place, string>> = {
  connection: '--address',
  address: '--address',
  namespace: '--namespace',
  tls: 'TEMPORAL_TLS',
  apiKey: 'TEMPORAL_API_KEY',
  taskQueue: '--task-queue',
  searchAttributes: '--search-attributes',
};

/** Taken from named exports too: nobody exports `hooks` and wants them ignored. */
const NAMED = ['agents', 'models', 'retries', 'waitFor', 'waitForTimeoutMs', 'hooks', 'logger'] as const;

const FORMS =
  'Export the agents as the default export, an array of agents made by `defineAgent`; or as { agents, models?, hooks?, waitFor?, … }; or under the name `agents`.';

/**
 * Loads a file that exports agents, TypeScript or JavaScript, ES modules or CommonJS.
 *
 * Throws `Holdpoint.Command.InvalidFile`, whose message says where it is wrong.
 */
export async function loadAgentsFile(file: string, options: LoadOptions): Promise<AgentsFile> {
  return readAgents(await importFile(file, 'agents', options), file);
}

/** Reads what a module exports. Throws `Holdpoint.Command.InvalidFile`. */
export function readAgents(module: unknown, file: string): AgentsFile {
  const { named, main } = exportsOf(module);
  const own = Array.isArray(main) ? { agents: main as readonly unknown[] } : isRecord(main) ? main : {};
  const options = { ...Object.fromEntries(NAMED.map((name) => [name, named[name]])), ...own };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const place = Object.keys(PLACES).find((name) => name in given) as Place | undefined;
  if (place !== undefined)
    throw fileError(file, `${file} sets ${place}, which is the command's to say: use ${PLACES[place]}.`);
  if (isAgent(main)) throw fileError(file, `${file} exports one agent; export an array: [agent].`);
  if (!('agents' in given)) throw fileError(file, `${file} exports no agents. ${FORMS}`);
  if (!hasAgents(given))
    throw fileError(file, `What ${file} exports as agents is not an array of agents. ${FORMS}`);
  return given;
}

/** The worker checks the rest of the options itself, and names what is wrong. */
function hasAgents(given: Readonly<Record<string, unknown>>): given is AgentsFile & Record<string, unknown> {
  return Array.isArray(given['agents']) && given['agents'].every(isAgent);
}

/** An agent of `defineAgent`, as far as a look at it tells. */
export function isAgent(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && Array.isArray(value['tools']);
}
