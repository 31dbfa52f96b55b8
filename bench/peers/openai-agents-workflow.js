import { Agent } from '@openai/agents-core';
import { activityAsTool, TemporalOpenAIRunner } from '@temporalio/openai-agents/workflow';

/** The workload as the OpenAI Agents SDK's own loop, model calls and the tool as activities. */
export async function openaiAgents({ input, calls, description, schema }) {
  const parameters = { ...schema, additionalProperties: false };
  const page = activityAsTool({ name: 'page', description, parameters }, { startToCloseTimeout: '1 minute' });
  const agent = new Agent({ name: 'reader', instructions: '', model: 'scripted', tools: [page] });
  const { finalOutput } = await new TemporalOpenAIRunner().run(agent, input, { maxTurns: calls });
  return finalOutput ?? '';
}
