/** A workflow of the shop's own. What is between its steps is an agent. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import { runAgent } from 'holdpoint/workflow';
import type * as activities from './activities';

/** The customer tells where the money goes, at any time: before, during or after the inspection. */
export const accountGiven = defineSignal<[account: string]>('accountGiven');

const { payBack } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

export async function handleReturn(order: string): Promise<string> {
  let account: string | undefined;
  setHandler(accountGiven, (given) => {
    account = given;
  });
  const { status, text } = await runAgent({ agent: 'inspector', input: `Order ${order} came back.` });
  if (status !== 'done' || text !== 'pay') return `Not paid back: the inspector says ${text || status}.`;
  if (!(await condition(() => account !== undefined, '30 days'))) return 'Not paid back: no account.';
  return payBack(order, account ?? '');
}
