import type { Context } from '@temporalio/activity';
import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import type { Hooks } from '../agent/hooks';
import type { WaitFor } from '../agent/wait-for';
import type { Models } from '../models/registry';
import type { Webhooks } from '../webhooks/options';
import type { TranscriptCache } from './transcript-cache';
import { queryPages, type ReadPage } from './transcript-pages';
import { TranscriptSource } from './transcript-source';

/** What a worker's activities work with: the toolset as registered now, and what the worker remembers. */
export interface Services {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly models: Models;
  /** Requests to a model after the first that failed (R37). */
  readonly retries: number;
  readonly hooks?: Hooks;
  readonly waitFor?: WaitFor;
  /** How long one request waits for `waitFor`, in milliseconds (R32). */
  readonly waitForTimeoutMs: number;
  readonly cache: TranscriptCache;
  /** `none`: runs must set no search attributes. */
  readonly lists: 'full' | 'none';
  /** Who is told of runs. Runs start no deliveries without it. */
  readonly webhooks?: Webhooks;
  /** What is large is kept outside of histories: results may have more (R38), and a run may carry more. */
  readonly stored?: true;
  /** Default: by query from the activity's own workflow. */
  readonly readPage?: ReadPage;
}

/** The agent as registered on this worker now, or a failure that says what is registered. */
export function agentOf({ agents }: Services, name: string): Agent {
  const agent = agents.get(name);
  if (agent) return agent;
  throw new HoldpointError(
    'Holdpoint.Run.UnknownAgent',
    `No agent "${name}" is registered with this worker; it has ${[...agents.keys()].join(', ')}. Register it in \`createWorker({ agents })\`, or start the run with another agent.`,
    { agent: name },
  );
}

/** Where this activity reads its run's transcript. */
export function transcriptSource({ cache, readPage }: Services, context: Context): TranscriptSource {
  const workflowId = context.info.workflowExecution?.workflowId ?? '';
  return new TranscriptSource(cache, readPage ?? queryPages(context), workflowId);
}
