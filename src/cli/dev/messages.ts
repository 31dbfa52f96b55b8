import { isRecord } from '../../agent/json';
import type { ConnectionFlags } from '../connection';

/** What `dev` gives the process of its worker: plain JSON. */
export interface WorkerProcessSettings {
  /** As it was typed, for messages. */
  readonly file: string;
  readonly connection: ConnectionFlags;
  /** Made by the first worker process and used by those after it: it does not depend on the agents. */
  readonly bundlePath: string;
  /** The configuration with the webhooks to tell. */
  readonly configPath: string;
}

/** What the worker's process tells `dev`. */
export type WorkerMessage =
  /** The modules that it is made of, and where more might be, whether or not it could be loaded. */
  | { readonly is: 'modules'; readonly paths: readonly string[] }
  | {
      readonly is: 'ready';
      readonly agents: readonly string[];
      readonly hasModels: boolean;
      /** What to say to the first agent, to try it; one of ours, without quotes. */
      readonly tryText: string;
    }
  | { readonly is: 'failed'; readonly message: string };

export function isWorkerMessage(value: unknown): value is WorkerMessage {
  return isRecord(value) && ['modules', 'ready', 'failed'].includes(String(value['is']));
}
