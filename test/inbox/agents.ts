import { z } from 'zod';
import { isRequestDraft } from '../../src/agent/request';
import { errorResult } from '../../src/agent/tool';
import { defineAgent, defineTool, pending, relayTool } from '../../src/tools';

export const refund = defineTool({
  name: 'refund',
  description: 'Pays money back to the customer of an order.',
  inputSchema: z.object({ order: z.string(), amountCents: z.int().positive(), note: z.string().optional() }),
  hints: { destructive: true },
  needsApproval: true,
  execute: ({ order, amountCents }) => `Paid ${(amountCents / 100).toFixed(2)} EUR back for order ${order}.`,
});

const urgent = defineTool({
  name: 'urgent_refund',
  description: 'Pays money back at once.',
  inputSchema: z.object({ order: z.string() }),
  needsApproval: true,
  expiresIn: '12 seconds',
  execute: ({ order }) => `Paid for ${order}.`,
});

/** Takes anything as its arguments. */
const post = defineTool({
  name: 'post',
  description: 'Posts a record.',
  inputSchema: { type: 'object' } as const,
  needsApproval: true,
  execute: () => 'Posted.',
});

const stock = relayTool({
  name: 'stock',
  description: 'Units in stock',
  inputSchema: z.object({ sku: z.string() }),
});

const weight = relayTool({
  name: 'weight',
  description: 'Weighs a parcel',
  outputSchema: z.object({ grams: z.int() }),
});

/** Asks what the model tells it to ask, in the shape of the product's own requests. */
const ask = defineTool({
  name: 'ask',
  description: 'Asks a person.',
  inputSchema: { type: 'object' } as const,
  execute: (input: unknown, { answer }) => {
    if (answer) return JSON.stringify(answer.data ?? {});
    return isRequestDraft(input) ? pending(input) : errorResult('This is no request.');
  },
});

export const clerk = defineAgent({
  name: 'clerk',
  model: 'scripted',
  tools: [refund, urgent, post, stock, weight, ask],
});
