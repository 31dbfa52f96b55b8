import type { BundleOptions } from '@temporalio/worker';
import { payloadConverterPath } from '../temporal/data-options';
import { compileLean, withAlias, type WebpackHook } from './bundle-loader';

/** The name under which `workflows/with-own` imports the user's file. */
const OWN_WORKFLOWS = 'holdpoint-own-workflows';
/** What the user's workflows embed agents with. */
const EMBEDDING = 'holdpoint/workflow';

/** What the workflow bundle is made of, and what the worker must be given to match. */
export interface WorkflowSources {
  readonly workflowsPath: string;
  readonly payloadConverterPath: string;
  readonly workflowInterceptorModules: readonly string[];
  /** Absolute path of the user's own workflows. */
  readonly ownWorkflows?: string;
}

/**
 * The one source of both sides. Temporal ignores a worker's converter and interceptor paths for workflows
 * once it has a prebuilt bundle, so a bundle built from anything else would run without them, silently.
 */
export function workflowSources(ownWorkflows?: string): WorkflowSources {
  return {
    workflowsPath: entryPath(ownWorkflows),
    payloadConverterPath: payloadConverterPath(),
    workflowInterceptorModules: [],
    ...(ownWorkflows !== undefined && { ownWorkflows }),
  };
}

/** Temporal's bundler takes one file; with workflows of the user's it is one that has both. */
function entryPath(ownWorkflows: string | undefined): string {
  return ownWorkflows === undefined
    ? require.resolve('../workflows')
    : require.resolve('../workflows/with-own');
}

/** The bundler's options of a worker that is not ours, with the agents' workflows added (`holdpointPlugin`). */
export function addToBundle(options: BundleOptions): BundleOptions {
  const { workflowsPath, webpackConfigHook: theirs } = options;
  const alone = workflowsPath === require.resolve('../workflows');
  return {
    ...options,
    payloadConverterPath: payloadConverterPath(),
    ...(!alone && {
      workflowsPath: entryPath(workflowsPath),
      webpackConfigHook: chain(withOwn(workflowsPath), theirs),
    }),
  };
}

/** Both names lead to one copy of this package's code: a second one, of whatever version, would not know the first. */
function withOwn(path: string): WebpackHook {
  return chain(withAlias(OWN_WORKFLOWS, path), withAlias(EMBEDDING, require.resolve('../workflow')));
}

function chain(first: WebpackHook, second: WebpackHook | undefined): WebpackHook {
  return (config) => (second ? second(first(config)) : first(config));
}

export function toBundleOptions(sources: WorkflowSources): BundleOptions {
  const { ownWorkflows } = sources;
  return {
    workflowsPath: sources.workflowsPath,
    payloadConverterPath: sources.payloadConverterPath,
    workflowInterceptorModules: [...sources.workflowInterceptorModules],
    webpackConfigHook: ownWorkflows === undefined ? compileLean : chain(compileLean, withOwn(ownWorkflows)),
  };
}
