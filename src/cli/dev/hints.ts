import type { Agent } from '../../agent/agent';
import { repeatedFlags, type ConnectionFlags } from '../connection';
import { invocation } from '../invocation';
import { shellQuote } from '../shell-quote';

export const MODEL_HINT =
  'No model yet, so runs will fail: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that speaks OpenAI’s chat completions, and start again.';

/** The agent of the project that `holdpoint init` writes halts on this; what another one is for is not known. */
export function textToTry(agent: Agent | undefined): string {
  const isRefundDesk =
    agent?.name === 'desk' &&
    agent.tools.some(({ name, needsApproval }) => name === 'refund' && needsApproval === true);
  return isRefundDesk ? 'Please refund order 1047' : 'Hello';
}

/** What to try next, as lines to paste into another terminal. */
export function hintLines(
  first: { readonly agent: string; readonly text: string },
  connection: ConnectionFlags,
): string[] {
  const flags = repeatedFlags(connection);
  const { taskQueue } = connection;
  const queue = taskQueue === undefined ? '' : ` --task-queue ${shellQuote(taskQueue)}`;
  const start = invocation();
  return [
    '',
    'Try in another terminal:',
    `  ${start} run ${shellQuote(first.agent)} '${first.text}'${flags}${queue}`,
    `  ${start} requests${flags}`,
    'Ctrl-C ends all of it; runs that wait are kept.',
    '',
  ];
}
