import type { DataConverter } from '@temporalio/common';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { errorMessage, HoldpointError } from '../agent/errors';
import { bundleOnce } from '../worker/bundle';
import { toDataConverter, type DataOptions } from '../temporal/data-options';
import { workflowSources } from '../worker/bundle-options';
import { readHistory } from './recorded-history';

/** Options of {@link replayCheck}. */
export interface ReplayCheckOptions extends DataOptions {
  /** A bundle from `bundleWorkflows`, such as the one in your image. Default: one is made, once a process. */
  readonly workflowBundle?: NonNullable<WorkerOptions['workflowBundle']>;
  /** The file that exports the workflows, when there is no bundle. Default: Holdpoint's own. */
  readonly workflowsPath?: string;
  /** Default: the converter that Holdpoint's workers and clients use, with `payloadCodecs` and `payloadStore`. */
  readonly dataConverter?: DataConverter;
  /** Default: the one in the history; servers before 1.24 recorded none. */
  readonly workflowId?: string;
}

/**
 * Replays a recorded history against the workflow code as it is now, and resolves when each command it gives
 * is the recorded one. `history` is the path of a JSON file, as `temporal workflow show --output json` prints
 * it, or the parsed object. Needs no server.
 *
 * Throws `HoldpointError`: `Holdpoint.Testing.NotDeterministic` when the code decides otherwise than it did
 * (a deployment would stop each such run), `Holdpoint.Testing.ReplayFailed` when it fails or lacks the
 * workflow type, `Holdpoint.Testing.InvalidHistory`.
 *
 * @example
 * test('parked runs survive this change', () => replayCheck('test/histories/parked.json'));
 * await replayCheck(await handle.fetchHistory());
 */
export async function replayCheck(history: string | object, options: ReplayCheckOptions = {}): Promise<void> {
  const recorded = await readHistory(history);
  const name = typeof history === 'string' ? history : 'The history';
  const workflowId = options.workflowId ?? recorded.workflowId;
  const ownPath = options.workflowsPath === undefined ? {} : { workflowsPath: options.workflowsPath };
  try {
    await Worker.runReplayHistory(
      {
        // Bundled as for a worker: another bundle would not be what is deployed.
        workflowBundle: options.workflowBundle ?? (await bundleOnce({ ...workflowSources(), ...ownPath })),
        dataConverter: options.dataConverter ?? toDataConverter(options),
      },
      recorded.history,
      workflowId,
    );
  } catch (cause) {
    const diverged = cause instanceof DeterminismViolationError;
    throw new HoldpointError(
      diverged ? 'Holdpoint.Testing.NotDeterministic' : 'Holdpoint.Testing.ReplayFailed',
      diverged
        ? `${name} does not replay: the workflow code decides otherwise than it did when this was recorded, and ` +
            `a deployment would stop such runs. Put the change behind \`patched\`. ${cause.message}`
        : `${name} could not be replayed: ${errorMessage(cause)}`,
      workflowId === undefined ? {} : { workflowId },
      { cause },
    );
  }
}
