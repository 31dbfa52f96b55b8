import type { Agent, InstructionsContext } from '../agent/agent';
import { errorMessage, HoldpointError } from '../agent/errors';

/**
 * The system prompt of a run, resolved once by its first model call; `undefined` where there is none.
 *
 * @throws HoldpointError `Holdpoint.Run.Failed` when the agent's function throws or returns no text.
 */
export async function resolveInstructions(
  agent: Agent,
  ctx: Omit<InstructionsContext, 'agent'>,
): Promise<string | undefined> {
  const { instructions, name } = agent;
  if (typeof instructions !== 'function') return instructions === '' ? undefined : instructions;
  let text: unknown;
  try {
    text = await instructions({ ...ctx, agent: name });
  } catch (error) {
    throw failure(name, errorMessage(error), error);
  }
  if (typeof text !== 'string') throw failure(name, `expected a string, got ${typeof text}`);
  return text === '' ? undefined : text;
}

function failure(agent: string, problem: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Run.Failed',
    `The instructions of agent ${agent} could not be resolved: ${problem}`,
    { agent },
    { cause },
  );
}
