import { repeatedFlags, type ConnectionFlags } from '../connection';
import { invocation } from '../invocation';
import { shellQuote } from '../shell-quote';

export const MODEL_HINT =
  'No model yet, so runs will fail: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that speaks OpenAI’s chat completions, and start again.';

/** What to try next, as lines to paste into another terminal. */
export function hintLines(agent: string, connection: ConnectionFlags): string[] {
  const flags = repeatedFlags(connection);
  const { taskQueue } = connection;
  const queue = taskQueue === undefined ? '' : ` --task-queue ${shellQuote(taskQueue)}`;
  const start = invocation();
  return [
    '',
    'Try in another terminal:',
    `  ${start} run ${shellQuote(agent)} 'Hello'${flags}${queue}`,
    `  ${start} requests${flags}`,
    'Ctrl-C ends all of it; runs that wait are kept.',
    '',
  ];
}
