import type { BundleOptions } from '@temporalio/worker';
import { isRecord } from '../agent/json';

export type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;

/** Reads comments at run time to find out what it may require. */
const KEEPS_COMMENTS = /[\\/]@?protobufjs[\\/]/;

/**
 * Compiles workflow code for the Node that runs it and leaves comments out: every workflow thread holds the
 * text of the bundle, and half of it would be comments and helpers for older engines. Names stay, so stack
 * traces read as before. A bundler without the loader that this knows is left as it is.
 */
export const compileLean: WebpackHook = (config) => {
  const rule = config.module?.rules?.find(usesSwc);
  if (!isRecord(rule) || !isRecord(rule['use']) || !isRecord(rule['use']['options'])) return config;
  const { use } = rule;
  const options = rule['use']['options'];
  const { jsc } = options;
  rule['test'] = /\.(ts|js)$/;
  rule['exclude'] = KEEPS_COMMENTS;
  rule['use'] = {
    ...use,
    options: {
      ...options,
      minify: true,
      jsc: { ...(isRecord(jsc) && jsc), target: 'es2022', minify: { compress: false, mangle: false } },
    },
  };
  return { ...config, output: { ...config.output, pathinfo: false } };
};

/** Lets workflow code import the file at `path` by a name. */
export function withAlias(name: string, path: string): WebpackHook {
  return (config) => ({
    ...config,
    resolve: { ...config.resolve, alias: { ...(config.resolve?.alias as object), [`${name}$`]: path } },
  });
}

function usesSwc(rule: unknown): boolean {
  const use = isRecord(rule) ? rule['use'] : undefined;
  return isRecord(use) && typeof use['loader'] === 'string' && use['loader'].includes('swc-loader');
}
