import { temporalProvider } from '@temporalio/ai-sdk/workflow';
import { proxyActivities } from '@temporalio/workflow';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';

const { page } = proxyActivities({ startToCloseTimeout: '1 minute' });

/** The workload as the AI SDK's own loop, model calls and the tool as activities. */
export async function aiSdk({ input, calls, description, schema }) {
  const { text } = await generateText({
    model: temporalProvider.languageModel('scripted'),
    prompt: input,
    tools: { page: tool({ description, inputSchema: jsonSchema(schema), execute: (args) => page(args) }) },
    stopWhen: stepCountIs(calls),
  });
  return text;
}
