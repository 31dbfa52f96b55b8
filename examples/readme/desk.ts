import { defineAgent, defineTool } from 'holdpoint';
import { z } from 'zod';

const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back',
  inputSchema: z.object({ order: z.string(), euros: z.number() }),
  needsApproval: true, // a person decides about exactly these arguments
  execute: ({ order, euros }) => `Paid ${euros} EUR back for order ${order}.`,
});
export const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: [refund] });
