import { agentTool, defineAgent, defineTool, relayTool } from '../../src/tools';
import { inWorkerProcess, tell } from '../support/tell';

const untilStopped = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));

/** In a worker's process it ends with that. */
const pay = defineTool({
  name: 'pay',
  description: 'Pays',
  needsApproval: true,
  async execute(_args, { signal, runId }) {
    await tell(`pay ${String(runId)}`);
    return inWorkerProcess ? untilStopped(signal) : 'paid';
  },
});
/** The same the first time. It may run again. */
const look = defineTool({
  name: 'look',
  description: 'Looks',
  hints: { readOnly: true },
  async execute(_args, { signal, attempt }) {
    await tell(`look ${attempt}`);
    return attempt > 1 ? 'seen' : untilStopped(signal);
  },
});
const stock = relayTool({ name: 'stock', description: 'Units in stock' });

const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, look, stock] });
const manager = defineAgent({ name: 'manager', model: 'scripted', tools: [agentTool(clerk)] });
export const agents = [
  defineAgent({ name: 'desk', model: 'scripted', tools: [agentTool(clerk), agentTool(manager)] }),
];
