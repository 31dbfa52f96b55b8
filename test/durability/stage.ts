import { randomUUID } from 'node:crypto';
import type { Agent } from '../../src/agent/agent';
import { isRecord } from '../../src/agent/json';
import { createClient, type HoldpointClient } from '../../src/client';
import { openaiModel } from '../../src/models/openai';
import {
  scriptedModel,
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedTurn,
} from '../../src/testing';
import { createWorker, type HoldpointWorker, type WorkerOptions } from '../../src/worker';
import { testServer } from '../support/test-server';
import { workflowBundle } from '../support/workflow-bundle';

/** What a run's model does: its turns by the number of assistant messages so far. */
export type Play = readonly ScriptedTurn[] | ((turn: number) => ScriptedTurn);

/** A model, a client, and any number of workers on a task queue of their own. */
export interface Stage {
  readonly client: HoldpointClient;
  readonly model: ScriptedModel;
  readonly taskQueue: string;
  /** A text to start a run with, whose model then plays these turns. */
  play(turns: Play): string;
  /** Another client, to be disconnected by whoever asked for it. */
  connect(): Promise<HoldpointClient>;
  /** Starts one more worker, with a transcript cache of its own. */
  startWorker(options?: Partial<WorkerOptions>): Promise<HoldpointWorker>;
  /** Ends all workers, then client and model. */
  close(): Promise<void>;
}

export interface StageOptions {
  readonly agents: readonly Agent[];
  /** Default: the test run's. */
  readonly server?: { readonly address: string; readonly namespace: string };
}

/** Opens a stage without a worker. */
export async function openStage({ agents, server = testServer() }: StageOptions): Promise<Stage> {
  const { address, namespace } = server;
  const taskQueue = newId();
  const plays = new Map<string, Play>();
  const model = await scriptedModel((request) => turnOf(request, plays));
  const connect = (): Promise<HoldpointClient> => createClient({ address, namespace, taskQueue });
  const client = await connect();
  const workers: HoldpointWorker[] = [];
  return {
    client,
    model,
    taskQueue,
    connect,
    play(turns) {
      const text = `play ${plays.size} ${randomUUID()}`;
      plays.set(text, turns);
      return text;
    },
    async startWorker(options = {}) {
      const worker = await createWorker({
        agents,
        models: openaiModel({ baseURL: model.baseURL, apiKey: 'none' }),
        workflowBundle: await workflowBundle(),
        address,
        namespace,
        taskQueue,
        shutdownGraceTime: 0,
        ...options,
      });
      workers.push(worker);
      // A worker that loses its server rejects; tests that mean to do that have the run's result to go by.
      worker.run().catch(() => undefined);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.shutdown().catch(() => undefined)));
      await client.disconnect();
      await model.close();
    },
  };
}

export function newId(): string {
  return `t-${randomUUID()}`;
}

/** Text of a given length that differs from every other one and does not compress into nothing. */
export function page(number: number, bytes: number): string {
  const line = (n: number): string =>
    `page ${number}, line ${n}: the quick brown fox jumps over the lazy dog\n`;
  let text = '';
  for (let n = 0; text.length < bytes; n += 1) text += line(n);
  return text.slice(0, bytes);
}

/** Texts start runs, and asks of conversations: the last one that is known decides, from its place on. */
function turnOf({ body }: RecordedRequest, plays: ReadonlyMap<string, Play>): ScriptedTurn {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && plays.has(String(content)));
  const play = plays.get(String(messages[at]?.['content']));
  const turn = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  const next = typeof play === 'function' ? play(turn) : play?.[turn];
  return next ?? { status: 400, body: `No turn ${turn} for "${String(messages[at]?.['content'])}"` };
}
