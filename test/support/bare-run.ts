import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Receipt } from '../../src/agent/receipt';
import type { RunSnapshot } from '../../src/agent/wire';
import type { HoldpointClient } from '../../src/client';

/** A run as another SDK would drive it: by what goes over the wire, without the client's own checks. */
export interface BareRun {
  /** Resolves when the server has it; a `state` asked for afterwards has seen it. */
  signal(answer: unknown): Promise<void>;
  /** Rejects with the run's own failure, an ApplicationFailure. */
  update(answer: unknown): Promise<Receipt>;
  state(): Promise<RunSnapshot>;
}

/** The run, or the conversation with its prefix, of this workflow id. */
export function bareRun({ temporal }: HoldpointClient, workflowId: string): BareRun {
  const handle = temporal.workflow.getHandle(workflowId);
  return {
    signal: (answer) => handle.signal('runWithAnswer', answer),
    async update(answer) {
      try {
        return await handle.executeUpdate<Receipt, [unknown]>('answer', { args: [answer] });
      } catch (error) {
        throw error instanceof WorkflowUpdateFailedError ? error.cause : error;
      }
    },
    state: () => handle.query('state'),
  };
}
