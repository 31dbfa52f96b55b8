import type { NativeConnection } from '@temporalio/worker';
import type { Agent } from '../agent/agent';
import type { Hooks } from '../agent/hooks';
import type { WaitFor } from '../agent/wait-for';
import type { ModelOptions } from '../models/registry';
import type { ConnectOptions } from '../temporal/connect-options';
import type { DataOptions } from '../temporal/data-options';
import type { Duration } from '../tools/duration';
import type { WebhookOptions } from '../webhooks/options';
import type { WorkflowBundle } from './bundle';
import type { WorkerLogger } from './logger';

/** Options of `createWorker`. Only `agents` is needed. */
export interface WorkerOptions extends ConnectOptions, DataOptions {
  /** The agents whose runs this worker carries out. At least one; names must differ. */
  readonly agents: readonly Agent[];
  /** Model providers by name, or one. Default: OpenAI's, from `OPENAI_API_KEY` and `OPENAI_BASE_URL`. */
  readonly models?: ModelOptions;
  /** Requests to a model after the first that failed (R37). Default 2. */
  readonly retries?: number;
  /** A host inside the worker, for short waits (R32). Default: none. */
  readonly waitFor?: WaitFor;
  /** How long one request waits for `waitFor` before its run halts, in milliseconds. Default 10 minutes. */
  readonly waitForTimeoutMs?: number;
  /** Functions that see, and may change, what a run's model and tools are given and give (R42). Default: none. */
  readonly hooks?: Hooks;
  /**
   * A connection of your own, which stays open when the worker ends. Not together with `address`, `tls` or
   * `apiKey`. Default: one from the options and the environment, closed with the worker.
   */
  readonly connection?: NativeConnection;
  /** Default `holdpoint`. Clients must name the same. */
  readonly taskQueue?: string;
  /** How much of the transcripts it keeps in memory, in bytes. Default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * `full`: runs can be listed by agent, status and more, which needs search attributes in the namespace;
   * the worker adds them where it may. `none`: do without, as clients must too. Default `full`.
   */
  readonly searchAttributes?: 'full' | 'none';
  /** Who is told when runs halt and end. Give all workers of a task queue the same. Default: nobody. */
  readonly webhooks?: WebhookOptions;
  /**
   * How long a worker that is told to stop lets model and tool calls finish before it aborts them, in
   * milliseconds or as a duration such as `20s`. Aborted tools get nine seconds more. Default 20 seconds: both
   * fit in the 30 seconds that Kubernetes gives.
   */
  readonly shutdownGraceTime?: Duration;
  /** Runs kept in memory between their steps. Default: as much as the memory allows; 0 replays each time. */
  readonly maxCachedWorkflows?: number;
  /**
   * Absolute path of a module that exports workflows of your own, such as `require.resolve('./workflows')`; they
   * may embed agents with `runAgent`. Default: none.
   */
  readonly workflowsPath?: string;
  /** Activities of your own workflows, by name. Default: none. */
  readonly activities?: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** Workflow code built beforehand by `bundleWorkflows`. Default: built when the first worker is created. */
  readonly workflowBundle?: WorkflowBundle;
  /** Default: JSON lines on standard error, level from `HOLDPOINT_LOG_LEVEL` or `info`. */
  readonly logger?: WorkerLogger;
  /** Names this worker on Temporal's pages. Default: process id and host name. */
  readonly identity?: string;
}
