import { defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import { runAgent } from '../../src/workflow';

export const note = defineSignal<[string]>('note');

const { ship } = proxyActivities<{ ship(what: string): Promise<string> }>({ startToCloseTimeout: '10s' });

/** An agent between steps of one's own, with a signal of one's own. */
export async function order(text: string): Promise<unknown> {
  const notes: string[] = [];
  setHandler(note, (what) => void notes.push(what));
  const first = await runAgent({ agent: 'desk', input: text });
  const shipped = await ship(first.text);
  const second = await runAgent({ agent: 'desk', input: `${text} again` });
  return { first: first.text, second: second.text, shipped, notes, calls: first.toolCalls.length };
}

/** Two agents at once: refused, and said so. */
export async function twoAtOnce(text: string): Promise<string> {
  const first = runAgent({ agent: 'desk', input: text });
  try {
    await runAgent({ agent: 'desk', input: text });
    return 'both ran';
  } catch (error) {
    await first;
    return error instanceof Error ? error.message : String(error);
  }
}
