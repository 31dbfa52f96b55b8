import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { tell } from '../support/tell';

const lookup = defineTool({
  name: 'lookup',
  description: 'Finds an order',
  async execute() {
    await tell('lookup');
    return 'order 1047';
  },
});
const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back',
  needsApproval: true,
  async execute() {
    await tell('refund');
    return 'paid';
  },
});
const stock = relayTool({ name: 'stock', description: 'Units in stock' });

export const agents = [defineAgent({ name: 'desk', model: 'scripted', tools: [lookup, refund, stock] })];
