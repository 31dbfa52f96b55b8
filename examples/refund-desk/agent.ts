import { defineAgent, defineTool, errorResult, relayTool } from 'holdpoint';
import { z } from 'zod';

/** The name that runs are started with. */
export const REFUND_DESK = 'refund-desk';

/** What a customer writes to the desk. */
export const CUSTOMER_WRITES = 'Please refund order 1047. I have sent it back.';

const orderSchema = z.object({ order: z.string(), item: z.string(), amountCents: z.int() });

/** An order as `lookup_order` gives it. */
export type Order = z.infer<typeof orderSchema>;

const ORDERS: readonly Order[] = [
  { order: '1047', item: 'Rain jacket, size M', amountCents: 8990 },
  { order: '1052', item: 'Hiking socks, two pairs', amountCents: 2450 },
];

const inputSchema = z.object({ order: z.string().describe('The number of the order') });

/** An ordinary tool: the worker executes it. */
const lookupOrder = defineTool({
  name: 'lookup_order',
  description: 'Finds an order by its number.',
  inputSchema,
  outputSchema: orderSchema,
  hints: { readOnly: true },
  execute: ({ order }) =>
    ORDERS.find((known) => known.order === order) ?? errorResult(`There is no order ${order}.`),
});

/** A relay tool: the warehouse's own system answers, when it can. */
const askWarehouse = relayTool({
  name: 'ask_warehouse',
  description: 'Asks the warehouse whether an order came back, and in what state.',
  inputSchema,
});

/** A person approves the exact arguments before it runs, and it runs at most once for the approval. */
const refund = defineTool({
  name: 'refund',
  description: 'Pays money back to the customer of an order.',
  inputSchema: inputSchema.extend({ amountCents: z.int().positive() }),
  hints: { destructive: true },
  needsApproval: true,
  // A payment service takes `ctx.idempotencyKey`, so that not even a repeated request pays twice.
  execute: ({ order, amountCents }) => `Paid ${(amountCents / 100).toFixed(2)} EUR back for order ${order}.`,
});

export const refundDesk = defineAgent({
  name: REFUND_DESK,
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions:
    'You are the refund desk of a shop. For a refund first look the order up, then ask the warehouse whether ' +
    'it came back, then refund the full amount. Do one step at a time. Never refund what did not come back.',
  tools: [lookupOrder, askWarehouse, refund],
  limits: { maxTotalTurns: 20 },
});
