import type { Command } from 'commander';
import type { Json } from '../agent/json';
import type { Limits } from '../agent/limits';
import { jsonOption, waitDuration, wholeNumber } from './values';

/** Options of whatever gives a run its task. */
export interface StartFlags extends Limits {
  readonly context?: string;
  /** Milliseconds to wait for the halt or the end; `true` for as long as the client does by itself. */
  readonly wait: boolean | number;
}

export function withStartOptions(command: Command): Command {
  return command
    .option('--context <json>', 'what tools and hooks see and the model does not; - reads standard input')
    .option('--max-turns <n>', 'model calls since the last input (default: the agent’s, or 10)', wholeNumber)
    .option('--max-total-turns <n>', 'model calls in all', wholeNumber)
    .option('--max-tokens <n>', 'tokens in all', wholeNumber)
    .option('--max-tool-calls <n>', 'tool calls in all', wholeNumber)
    .option('--timeout-ms <n>', 'milliseconds of work; waiting does not count', wholeNumber);
}

/** How long to wait, with the client's own default. */
export function withWait(command: Command): Command {
  return command.option(
    '--wait <duration>',
    'how long to wait for the halt or the end, or `forever` (default: 10m)',
    waitDuration,
  );
}

export function waitOf(wait: boolean | number | undefined): { readonly waitMs?: number } {
  return typeof wait === 'number' ? { waitMs: wait } : {};
}

/** The options as the client takes them. */
export async function startOf(
  flags: StartFlags,
): Promise<{ readonly context?: Json; readonly limits?: Limits }> {
  const { context, maxTurns, maxTotalTurns, maxTokens, maxToolCalls, timeoutMs } = flags;
  const limits: Limits = {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxTotalTurns !== undefined && { maxTotalTurns }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return {
    ...(context !== undefined && { context: await jsonOption('--context', context) }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}
