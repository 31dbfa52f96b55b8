import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type Logger } from '@temporalio/worker';
import { HoldpointError } from '../agent/errors';
import { toLogger } from './logger';
import { toBundleOptions, workflowSources, type WorkflowSources } from './bundle-options';

/** Workflow code as one file: in memory, or where it is on disk. */
export type WorkflowBundle = { readonly code: string } | { readonly codePath: string };

/** A text that is in every bundle with our payload converter: minified or not, it is a property's name. */
const CONVERTER_MARK = '__holdpointUndecodable';

/** Bundling takes seconds, and its result depends on nothing but the sources: once a process is enough. */
const bundles = new Map<string, Promise<{ readonly code: string }>>();

/**
 * Bundles the workflow code, as `createWorker` does by itself. Write `code` to a file when you build your
 * image and pass `workflowBundle: { codePath }`, and workers start some seconds sooner.
 *
 * ```ts
 * await writeFile('workflow-bundle.js', (await bundleWorkflows()).code);
 * const worker = await createWorker({ agents, workflowBundle: { codePath: 'workflow-bundle.js' } });
 * ```
 */
export async function bundleWorkflows(
  options: BundleWorkflowsOptions = {},
): Promise<{ readonly code: string }> {
  const { workflowsPath, logger } = options;
  return bundleOnce(workflowSources(checkWorkflowsPath(workflowsPath)), logger);
}

/** Options of {@link bundleWorkflows}. */
export interface BundleWorkflowsOptions {
  /** Absolute path of a module with workflows of your own, as in `createWorker`. Default: none. */
  readonly workflowsPath?: string;
  /** Where the bundler's messages go. Default: its warnings to standard error. */
  readonly logger?: Logger;
}

/** Bundlers look for a relative path somewhere, and tell of a missing file at great length. */
export function checkWorkflowsPath(path: string | undefined): string | undefined {
  if (path === undefined || (typeof path === 'string' && isAbsolute(path) && existsSync(path))) return path;
  throw new HoldpointError(
    'Holdpoint.Worker.InvalidOptions',
    `Expected \`workflowsPath\` to be the absolute path of a file, got ${JSON.stringify(path)}. Use require.resolve('./workflows').`,
  );
}

/** A failed bundling is not kept: the next worker tries again. */
export function bundleOnce(
  sources: WorkflowSources,
  logger: Logger = new DefaultLogger('WARN'),
): Promise<{ readonly code: string }> {
  const key = JSON.stringify(sources);
  const known = bundles.get(key);
  if (known) return known;
  const made = bundleWorkflowCode({ ...toBundleOptions(sources), logger: quieter(logger) });
  bundles.set(key, made);
  made.catch(() => bundles.delete(key));
  return made;
}

/** Refuses a bundle that was built without `bundleWorkflows`: in it, one bad message would wedge a run. */
export async function checkBundle(bundle: WorkflowBundle): Promise<void> {
  const code = 'code' in bundle ? bundle.code : await readBundle(bundle.codePath);
  if (code.includes(CONVERTER_MARK)) return;
  throw new HoldpointError(
    'Holdpoint.Worker.InvalidOptions',
    "`workflowBundle` was not built with `bundleWorkflows`: it lacks the payload converter that keeps one unreadable message from stopping a run. Build it with `bundleWorkflows` of this version, or with `holdpointPlugin` among the plugins of Temporal's `bundleWorkflowCode`.",
  );
}

async function readBundle(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new HoldpointError(
      'Holdpoint.Worker.InvalidOptions',
      `Cannot read the workflow bundle at ${path}. Build it with \`bundleWorkflows\`, or leave \`workflowBundle\` out.`,
      { path },
      { cause },
    );
  }
}

/** The bundler tells at length what it did; that is of use only when it fails. */
function quieter(logger: Logger): Logger {
  return toLogger((level, message, meta) => {
    logger.log(level === 'INFO' ? 'DEBUG' : level, message, meta);
  });
}
