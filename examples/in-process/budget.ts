import { defineAgent, defineTool } from 'holdpoint';
import { z } from 'zod';

const order = defineTool({
  name: 'order',
  description: 'Orders something for the office.',
  inputSchema: z.object({ what: z.string(), euros: z.number() }),
  // Small things need nobody's approval.
  needsApproval: ({ euros }) => euros > 20,
  execute: ({ what, euros }) => `Ordered ${what} for ${euros} EUR.`,
});

export const office = defineAgent({
  name: 'office',
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions: 'You order things for the office, each with a call of its own.',
  tools: [order],
});
