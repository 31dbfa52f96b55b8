import { condition, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(name: string): Promise<string> }>({ startToCloseTimeout: '10 s' });

/** What a recorded history of this type is replayed against. */
export async function twoSteps(): Promise<string> {
  return (await step('first')) + (await step('second'));
}

/** Waits for thirty days, or for `go`. */
export async function waitForGo(): Promise<string> {
  let went = false;
  setHandler(defineSignal('go'), () => void (went = true));
  return (await condition(() => went, '30 days')) ? 'went' : 'gave up';
}

/** Ends after a day. */
export async function sleepForADay(): Promise<void> {
  await sleep('1 day');
}
