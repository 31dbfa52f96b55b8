import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { BareActivities } from './bare-activities';

const { callModel, callTool } = proxyActivities<BareActivities>({ startToCloseTimeout: '1 minute' });

/** The least that any engine can do: a loop over the two activities, with none of the guarantees. */
export async function bareRun(input: string): Promise<string> {
  const run = workflowInfo().workflowId;
  let question: string | undefined = input;
  for (;;) {
    const { text, call } = await callModel(run, question);
    question = undefined;
    if (!call) return text;
    await callTool(run, call);
  }
}
