import { HoldpointError } from '../agent/errors';
import type { RunEvent } from '../agent/event';
import type { ProgressEvent } from '../agent/progress';
import type { Hooks } from '../agent/hooks';
import { isRecord } from '../agent/json';
import type { WaitFor } from '../agent/wait-for';
import { createModels, type ModelOptions, type Models } from '../models/registry';
import { unknownOptions } from '../tools/option-checks';
import { generateModel, type Generate } from './generate';

/** Options of `createInProcessClient`; every one may be left out. */
export interface InProcessOptions {
  /**
   * A model's name at the provider that the environment names (`OPENAI_API_KEY`, `OPENAI_BASE_URL`), a model
   * such as `openaiModel()`, or several by name, as for a worker. Default: the environment's.
   */
  readonly model?: string | ModelOptions;
  /** A function in a model's place. */
  readonly generate?: Generate;
  /** The name that runs without an agent ask the model by. Default: `model` if it is one, else `in-process`. */
  readonly modelName?: string;
  /** Repeated requests after a failure that may pass (R37). Default 2, with `generate` 0. */
  readonly retries?: number;
  /** Answers requests while the run waits; without it a run halts at them (R32). */
  readonly waitFor?: WaitFor;
  /** How long one `waitFor` may take before the run halts, in milliseconds. Default 10 minutes. */
  readonly waitForTimeoutMs?: number;
  readonly hooks?: Hooks;
  /** Every event of every run, in its order (R44). What it throws is ignored. */
  readonly onEvent?: (event: RunEvent) => void;
  /** What tool calls report while they are under way, each time. What it throws is ignored. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Options checked and with their defaults: what every run of a client works with. */
export interface Setting {
  readonly models: Models;
  readonly modelName: string;
  readonly retries: number;
  readonly waitFor: WaitFor | undefined;
  readonly waitForTimeoutMs: number;
  readonly hooks: Hooks | undefined;
  readonly onEvent: ((event: RunEvent) => void) | undefined;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
}

const NAMES = [
  'model',
  'generate',
  'modelName',
  'retries',
  'waitFor',
  'waitForTimeoutMs',
  'hooks',
  'onEvent',
  'onProgress',
];
const HOOKS = ['beforeModel', 'afterModel', 'beforeTool', 'afterTool'];
const DEFAULT_WAIT_FOR_TIMEOUT_MS = 10 * 60 * 1000;

/** Throws `Holdpoint.Client.InvalidOptions`. */
export function toSetting(options: InProcessOptions): Setting {
  const isObject: boolean = isRecord(options);
  if (!isObject) throw invalid('Expected the options of the in-process client to be an object.');
  const unknown = unknownOptions(options, NAMES);
  if (unknown !== undefined) throw invalid(unknown);
  const { model, generate, hooks, waitFor, onEvent, onProgress } = options;
  const { waitForTimeoutMs = DEFAULT_WAIT_FOR_TIMEOUT_MS, retries = generate ? 0 : 2 } = options;
  for (const [name, value] of Object.entries({ generate, waitFor, onEvent, onProgress, ...hooks }))
    if (value !== undefined && typeof value !== 'function')
      throw invalid(`Expected \`${name}\` to be a function.`);
  const stray = unknownOptions(hooks ?? {}, HOOKS, { what: 'hook' });
  if (stray !== undefined) throw invalid(stray);
  if (!Number.isInteger(retries) || retries < 0)
    throw invalid(`Expected \`retries\` to be a whole number of at least 0, got ${String(retries)}.`);
  if (!Number.isFinite(waitForTimeoutMs) || waitForTimeoutMs < 1)
    throw invalid(`Expected \`waitForTimeoutMs\` to be at least 1, got ${String(waitForTimeoutMs)}.`);
  const modelName = options.modelName ?? (typeof model === 'string' ? model : 'in-process');
  if (typeof modelName !== 'string' || modelName === '') throw invalid('Expected a model to have a name.');
  return {
    models: toModels(model, generate, modelName),
    modelName,
    retries,
    waitFor,
    waitForTimeoutMs,
    hooks,
    onEvent,
    onProgress,
  };
}

function toModels(model: InProcessOptions['model'], generate: Generate | undefined, name: string): Models {
  if (!generate) return createModels(typeof model === 'string' ? {} : model);
  if (model !== undefined && typeof model !== 'string')
    throw invalid('`model` and `generate` are two ways to say the same; give one of them.');
  return createModels(generateModel(generate, name));
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
