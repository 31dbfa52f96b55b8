import type { Agent } from '../agent/agent';
import type { RunResult } from '../agent/result';
import { runLoop } from '../agent/run-loop';
import type { ReceiptRecord, RunState, Transcript } from '../agent/run-state';
import { DirectPort } from './direct-port';
import type { EventStream } from './event-stream';
import type { Setting } from './options';
import { savedResult } from './saved-run';

export interface Driven {
  readonly run: RunState;
  readonly transcript: Transcript;
  readonly agent: Agent;
  readonly events: EventStream;
  /** Receipts of the conversation's earlier asks. */
  readonly earlier?: readonly ReceiptRecord[];
}

/** A run that is being driven. */
export interface Driving {
  readonly port: DirectPort;
  /** Settles at the next halt or the end; never rejects. */
  readonly result: Promise<RunResult>;
}

/** Drives a run to its next halt or its end. `signal` cancels it (R34). */
export function driveRun(driven: Driven, setting: Setting, signal?: AbortSignal): Driving {
  const { run, transcript, agent, events, earlier } = driven;
  const port = new DirectPort(run, agent, setting, events, earlier);
  if (signal) port.cancelWith(signal);
  const result = runLoop(run, transcript, port).then(() => {
    port.close();
    return savedResult(run, transcript, events.count);
  });
  return { port, result };
}
