import { defineAgent, defineTool, relayTool } from 'holdpoint';
import { z } from 'zod';

/** Stands for a payment service: what was paid. */
export const paid: string[] = [];

const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back',
  inputSchema: z.object({ order: z.string(), euros: z.number() }),
  needsApproval: ({ euros }) => euros > 20,
  execute: ({ order, euros }) => {
    paid.push(order);
    return `Paid ${euros} EUR back for order ${order}.`;
  },
});

const askWarehouse = relayTool({
  name: 'ask_warehouse',
  description: 'Asks whether an order came back',
  inputSchema: z.object({ order: z.string() }),
  expiresIn: '30 days',
});

export const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: [refund, askWarehouse] });
