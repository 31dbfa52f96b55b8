import { proxyActivities, sleep } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(name: string): Promise<string> }>({ startToCloseTimeout: '10 s' });

/** The same type after a change that no `patched` guards. */
export async function twoSteps(): Promise<string> {
  await sleep('1 s');
  return (await step('first')) + (await step('second'));
}
