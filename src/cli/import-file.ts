import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '../agent/json';
import { fileError } from './command-error';
import { loadProblem, missingModule } from './load-problem';

export interface LoadOptions {
  /** `always` sees the imports of every module; `typescript` leaves JavaScript to Node alone. */
  readonly compile: 'always' | 'typescript';
  /** Called with the path of each module outside `node_modules`, also of a file that then fails. */
  readonly onModule?: (path: string) => void;
}

/**
 * Loads a file, TypeScript or JavaScript, ES module or CommonJS. `what` names what it should export.
 *
 * Throws `Holdpoint.Command.InvalidFile`, whose message says where it is wrong.
 */
export async function importFile(
  file: string,
  what: string,
  { compile, onModule }: LoadOptions,
): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path))
    throw fileError(file, `There is no file ${path}. Give the path of a file that exports ${what}.`);
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

/** What a module exports by name, and by default. */
export function exportsOf(module: unknown): {
  readonly named: Readonly<Record<string, unknown>>;
  readonly main: unknown;
} {
  const namespace = isRecord(module) ? module : {};
  const main = namespace['default'];
  // TypeScript compiled to CommonJS: its exports stand in the default export.
  if (isRecord(main) && main['__esModule'] === true) return { named: main, main: main['default'] };
  return { named: namespace, main };
}
