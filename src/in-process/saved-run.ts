import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import type { Hooks } from '../agent/hooks';
import { isRecord } from '../agent/json';
import type { Message } from '../agent/message';
import type { Request } from '../agent/request';
import type { RunResult, SavedRun } from '../agent/result';
import { resultOf } from '../agent/run-result';
import type { RunState, Transcript } from '../agent/run-state';
import { toPlainJson } from './plain-json';
import { rebuildRun } from './rebuild-run';

/** A halted run: its result, as it was or read back from JSON, or for a single open request only these two. */
export type Halted = RunResult | { readonly messages: readonly Message[]; readonly pending: Request };

/** A run that can go on. */
export interface OpenedRun {
  readonly run: RunState;
  readonly transcript: Transcript;
  readonly events: number;
}

/** The result of a run as it stands; while it is pending with all that is needed to go on. */
export function savedResult(run: RunState, transcript: Transcript, events: number): RunResult {
  const result = resultOf(run, transcript);
  if (run.status !== 'pending') return result;
  const system = transcript.system?.text;
  const saved: SavedRun = { run, ...(system !== undefined && { system }), events };
  // A copy: what the caller holds must not change when the run goes on from another copy of it.
  return { ...result, resume: toPlainJson(saved, 'the run', 'Holdpoint.Run.Failed') as never };
}

/**
 * Opens a halted run without touching what the caller holds.
 *
 * @throws HoldpointError `Holdpoint.Answer.RunClosed` when it has ended, `Holdpoint.Run.InvalidInput` when
 * it is no halted run
 */
export function openHalted(halted: Halted, agent: Agent, hooks: Hooks | undefined): OpenedRun {
  const copy: unknown = toPlainJson(halted, 'the halted run', 'Holdpoint.Run.InvalidInput');
  if (!isRecord(copy)) throw notHalted('Expected the result of a run.');
  if ('status' in copy && copy['status'] !== 'pending')
    throw new HoldpointError(
      'Holdpoint.Answer.RunClosed',
      `The run takes no answers any more: it ended as ${String(copy['status'])}.`,
    );
  const { messages, pending, requests, resume } = copy as Partial<RunResult>;
  if (!Array.isArray(messages)) throw notHalted('It has no `messages`.');
  if (resume === undefined && (requests?.length ?? 0) > 1)
    throw notHalted('Several requests are open; save the whole result, with its `resume`.');
  if (resume === undefined) return { ...rebuildRun(messages, pending, agent, hooks), events: 0 };
  const { run, system, events } = resume;
  if (!isRecord(run) || run.schema !== 1 || !Array.isArray(run.calls))
    throw notHalted('Its `resume` was not made by this version.');
  // The last messages are the open calls' placeholders (R27).
  const kept = (messages as Message[]).slice(0, messages.length - run.calls.length);
  return {
    run,
    transcript: {
      entries: kept.map((message) => ({ message })),
      ...(system !== undefined && { system: { text: system, digest: '' } }),
    },
    events,
  };
}

/** A call that is still to run must not end as `Unknown tool` because the caller left its toolkit out. */
export function requireTools({ calls }: RunState, { tools }: Agent): void {
  const missing = calls.find(
    ({ name, phase, route }) =>
      route.to === 'tool' && phase.is !== 'settled' && !tools.some((tool) => tool.name === name),
  );
  if (missing)
    throw new HoldpointError(
      'Holdpoint.Run.InvalidInput',
      `The halted run has a call of ${missing.name}, which the given tools do not have. Pass the run's tools as \`toolkit\`.`,
      { tool: missing.name },
    );
}

function notHalted(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', `This is no halted run. ${problem}`);
}
