import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '../agent/json';
import type { WorkerOptions } from '../worker';
import { fileError } from './command-error';
import { loadProblem, missingModule } from './load-problem';

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

export interface LoadOptions {
  /** `always` sees the imports of every module; `typescript` leaves JavaScript to Node alone. */
  readonly compile: 'always' | 'typescript';
  /** Called with the path of each module outside `node_modules`, also of a file that then fails. */
  readonly onModule?: (path: string) => void;
}

/**
 * Loads a file that exports agents, TypeScript or JavaScript, ES modules or CommonJS.
 *
 * Throws `Holdpoint.Command.InvalidFile`, whose message says where it is wrong.
 */
export async function loadAgentsFile(file: string, options: LoadOptions): Promise<AgentsFile> {
  const path = resolve(file);
  if (!existsSync(path))
    throw fileError(file, `There is no file ${path}. Give the path of a file that exports agents.`);
  return readAgents(await importFile(file, path, options), file);
}

async function importFile(file: string, path: string, { compile, onModule }: LoadOptions): Promise<unknown> {
  const seen = (url: string): void => {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) onModule?.(fileURLToPath(url));
  };
  if (compile === 'always' || /\.[cm]?tsx?$/.test(path)) {
    // Its CommonJS build cannot start its loader, so both come as ES modules.
    const [esm, cjs] = await Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]);
    cjs.register();
    esm.register({ onImport: seen });
  }
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const missing = missingModule(error);
    if (missing !== undefined) onModule?.(missing);
    throw fileError(file, loadProblem(error, path), error);
  } finally {
    // CommonJS modules below the first are required, not imported.
    for (const required of Object.keys(require.cache)) seen(pathToFileURL(required).href);
  }
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

function exportsOf(module: unknown): { readonly named: Record<string, unknown>; readonly main: unknown } {
  const namespace = isRecord(module) ? module : {};
  const main = namespace['default'];
  // TypeScript compiled to CommonJS: its exports stand in the default export.
  if (isRecord(main) && main['__esModule'] === true) return { named: main, main: main['default'] };
  return { named: namespace, main };
}

function isAgent(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && Array.isArray(value['tools']);
}
