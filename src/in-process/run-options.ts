import { HoldpointError } from '../agent/errors';
import { isRecord, type Json } from '../agent/json';
import type { Limits } from '../agent/limits';
import { isSignal, shownValue, unknownOptions } from '../tools/option-checks';
import { isToolset, type Toolset } from './toolset';

/** Options of an in-process `run`. */
export interface InProcessRunOptions {
  /** Cancels the run when it aborts: the result then has status `cancelled` (R34). */
  readonly signal?: AbortSignal;
  /** A JSON value that tools and hooks see and the model does not. */
  readonly context?: Json;
  /** They go before the agent's own. */
  readonly limits?: Limits;
  /** The system prompt. Default: the agent's instructions. */
  readonly system?: string;
}

/** Options of an in-process `ask`. */
export interface InProcessAskOptions extends InProcessRunOptions {
  /** While the conversation waits for an answer: fail, wait, or decline what it waits for. Default `refuse` (R40). */
  readonly whilePending?: 'refuse' | 'queue' | 'decline';
}

/** Options of `runWithAnswer` and `askWithAnswer` in process. */
export interface InProcessAnswerOptions {
  /** The tools that the run goes on with. A conversation's default: those of its ask. */
  readonly toolkit?: Toolset;
  readonly signal?: AbortSignal;
}

const RUN: readonly (keyof InProcessRunOptions)[] = ['signal', 'context', 'limits', 'system'];
const KNOWN = {
  run: RUN,
  ask: [...RUN, 'whilePending'],
  answer: ['toolkit', 'signal'],
} as const;

/** How the calls are written: who mixes their arguments up needs to see it. */
const CALLS = {
  run: 'run(input, tools, options)',
  ask: 'ask(conversationId, input, tools, options)',
} as const;

/** Refuses what is no toolset, and options that cannot be used. Throws `Holdpoint.Client.InvalidOptions`. */
export function checkRunCall(call: 'run' | 'ask', toolset: unknown, options: unknown): void {
  if (toolset !== undefined && !isToolset(toolset))
    throw invalid(
      `Expected the tools of \`${CALLS[call]}\` to be a toolkit, a list of tools or an agent, got ${shownValue(toolset)}. An agent goes there as \`defineAgent\` made it, not by its name.`,
    );
  const { system, whilePending } = checkedOptions(`\`${CALLS[call]}\``, options, KNOWN[call]);
  if (system !== undefined && typeof system !== 'string')
    throw invalid(`Expected \`system\` to be a string, got ${shownValue(system)}.`);
  if (whilePending !== undefined && !['refuse', 'queue', 'decline'].includes(whilePending as string))
    throw invalid(
      `Expected \`whilePending\` to be refuse, queue or decline, got ${shownValue(whilePending)}.`,
    );
}

/** The same for the calls that take an answer. */
export function checkAnswerOptions(call: 'runWithAnswer' | 'askWithAnswer', options: unknown): void {
  const { toolkit } = checkedOptions(`\`${call}\``, options, KNOWN.answer);
  if (toolkit !== undefined && !isToolset(toolkit))
    throw invalid(
      `Expected \`toolkit\` of \`${call}\` to be a toolkit, a list of tools or an agent, got ${shownValue(toolkit)}.`,
    );
}

function checkedOptions(owner: string, options: unknown, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(options))
    throw invalid(`Expected the options of ${owner} to be an object, got ${shownValue(options)}.`);
  const problem = unknownOptions(options, known, { owner });
  if (problem !== undefined) throw invalid(problem);
  const { signal } = options;
  if (signal !== undefined && !isSignal(signal))
    throw invalid(`Expected \`signal\` to be an AbortSignal, got ${shownValue(signal)}.`);
  return options;
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
