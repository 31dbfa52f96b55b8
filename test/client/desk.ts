import { randomUUID } from 'node:crypto';
import { createClient, type ClientOptions, type HoldpointClient } from '../../src/client';
import type { Agent } from '../../src/agent/agent';
import { isRecord } from '../../src/agent/json';
import type { RunResult } from '../../src/agent/result';
import { openaiModel } from '../../src/models/openai';
import {
  scriptedModel,
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedTurn,
  type TestServer,
} from '../../src/testing';
import { defineAgent, relayTool } from '../../src/tools';
import { createWorker, type HoldpointWorker, type WorkerOptions } from '../../src/worker';
import { testServer } from '../support/test-server';
import { workflowBundle } from '../support/workflow-bundle';

/** A worker on a task queue of its own, a client for it, and a model that plays scripts by their first message. */
export interface Desk {
  readonly client: HoldpointClient;
  readonly model: ScriptedModel;
  readonly taskQueue: string;
  /**
   * A text to start a run or a conversation with; the model answers it with these turns, one per assistant
   * message. Default: a text of its own.
   */
  play(turns: readonly ScriptedTurn[], text?: string): string;
  /** Another client of the same desk. */
  connect(options?: ClientOptions): Promise<HoldpointClient>;
  startWorker(options?: Partial<WorkerOptions>): Promise<void>;
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

export const relayed = relayTool({ name: 'stock', description: 'Units in stock' });

/** A turn that asks for calls of the relay tool. */
export function calls(...ids: readonly string[]): ScriptedTurn {
  return { toolCalls: ids.map((id) => ({ id, name: 'stock', arguments: { sku: id } })) };
}

/** The id of the first open request of a halted run. */
export function pendingId(result: RunResult): string {
  if (!result.pending) throw new Error(`Expected a halt, got ${result.status}`);
  return result.pending.id;
}

/** A turn with `hold: gate.open` is answered once the gate is unlocked. */
export function newGate(): { readonly open: Promise<void>; readonly unlock: () => void } {
  let unlock = (): void => undefined;
  const open = new Promise<void>((resolve) => (unlock = resolve));
  return { open, unlock };
}

export function newId(): string {
  return `t-${randomUUID()}`;
}

/** `workerOptions` are those of every worker of the desk. */
export async function openDesk(
  agents: readonly Agent[] = [desk()],
  { address, namespace }: Pick<TestServer, 'address' | 'namespace'> = testServer(),
  workerOptions: Partial<WorkerOptions> = {},
): Promise<Desk> {
  const taskQueue = newId();
  const scripts = new Map<string, readonly ScriptedTurn[]>();
  const model = await scriptedModel((request) => turnOf(request, scripts));
  const { payloadCodecs, payloadStore } = workerOptions;
  const data = { ...(payloadCodecs && { payloadCodecs }), ...(payloadStore && { payloadStore }) };
  const client = await createClient({ address, namespace, taskQueue, ...data });
  let worker: HoldpointWorker | undefined;
  let running: Promise<void> | undefined;
  const startWorker = async (options: Partial<WorkerOptions> = {}): Promise<void> => {
    worker = await createWorker({
      agents,
      models: openaiModel({ baseURL: model.baseURL, apiKey: 'none' }),
      address,
      namespace,
      taskQueue,
      shutdownGraceTime: 0,
      workflowBundle: await workflowBundle(),
      ...workerOptions,
      ...options,
    });
    running = worker.run();
  };
  const stopWorker = async (): Promise<void> => {
    await worker?.shutdown();
    await running;
    worker = undefined;
  };
  await startWorker();
  return {
    client,
    model,
    taskQueue,
    play(turns, text = `script ${scripts.size} ${randomUUID()}`) {
      scripts.set(text, turns);
      return text;
    },
    connect: (options = {}) => createClient({ address, namespace, taskQueue, ...data, ...options }),
    startWorker,
    stopWorker,
    async close() {
      await stopWorker();
      await client.disconnect();
      await model.close();
    },
  };
}

export function desk(): Agent {
  return defineAgent({ name: 'desk', model: 'scripted', tools: [relayed] });
}

function turnOf(
  { body }: RecordedRequest,
  scripts: ReadonlyMap<string, readonly ScriptedTurn[]>,
): ScriptedTurn {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  const first = messages.find((message) => message['role'] === 'user')?.['content'];
  const turns = scripts.get(String(first));
  const index = messages.filter((message) => message['role'] === 'assistant').length;
  return turns?.[index] ?? { status: 400, body: `No turn ${index} for "${String(first)}"` };
}
