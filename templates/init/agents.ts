import { defineAgent, defineTool, errorResult } from 'holdpoint';
import { z } from 'zod';
import { rehearsal } from './rehearsal';

const orders: Readonly<Record<string, { item: string; euros: number }>> = {
  '1047': { item: 'Rain jacket', euros: 89.9 },
  '1052': { item: 'Hiking socks', euros: 24.5 },
};

/** An ordinary tool: it runs when the model calls it. */
export const lookupOrder = defineTool({
  name: 'lookup_order',
  description: 'Finds an order by its number',
  inputSchema: z.object({ order: z.string() }),
  hints: { readOnly: true },
  execute: ({ order }) => orders[order] ?? errorResult(`There is no order ${order}.`),
});

/** A call of this one waits until somebody has approved its exact arguments, for as long as it takes. */
export const refund = defineTool({
  name: 'refund',
  description: 'Pays the money for an order back',
  inputSchema: z.object({ order: z.string(), euros: z.number().positive() }),
  needsApproval: true,
  execute: ({ order, euros }) => `Paid ${euros} EUR back for order ${order}.`,
});

export const desk = defineAgent({
  name: 'desk',
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions: 'You are the refund desk of a shop. Look the order up, then refund what was paid for it.',
  tools: [lookupOrder, refund],
});

/** What `holdpoint dev` and `holdpoint worker` run. */
export const agents = [desk];

/** Without a key the rehearsal plays the model. */
const hasModel = process.env['OPENAI_API_KEY'] || process.env['OPENAI_BASE_URL'];
export const models = hasModel ? undefined : rehearsal;
