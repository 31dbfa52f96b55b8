import type { BundleOptions } from '@temporalio/worker';
import { compileLean } from './bundle-loader';

/** What the workflow bundle is made of, and what the worker must be given to match. */
export interface WorkflowSources {
  readonly workflowsPath: string;
  readonly payloadConverterPath: string;
  readonly workflowInterceptorModules: readonly string[];
}

/**
 * The one source of both sides. Temporal ignores a worker's converter and interceptor paths for workflows
 * once it has a prebuilt bundle, so a bundle built from anything else would run without them, silently.
 */
export function workflowSources(): WorkflowSources {
  return {
    workflowsPath: require.resolve('../workflows'),
    payloadConverterPath: payloadConverterPath(),
    workflowInterceptorModules: [],
  };
}

export function toBundleOptions(sources: WorkflowSources): BundleOptions {
  return {
    workflowsPath: sources.workflowsPath,
    payloadConverterPath: sources.payloadConverterPath,
    workflowInterceptorModules: [...sources.workflowInterceptorModules],
    webpackConfigHook: compileLean,
  };
}

/** The part of Temporal's worker options that goes with the bundle. */
export function toDataConverter(): { readonly payloadConverterPath: string } {
  return { payloadConverterPath: payloadConverterPath() };
}

function payloadConverterPath(): string {
  return require.resolve('../temporal/payload-converter');
}
