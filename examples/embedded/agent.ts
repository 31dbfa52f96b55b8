import { defineAgent, relayTool } from 'holdpoint';
import { z } from 'zod';

export const TASK_QUEUE = 'example-embedded';

const inspect = relayTool({
  name: 'inspect',
  description: 'Has the warehouse look at what a customer sent back.',
  inputSchema: z.object({ order: z.string() }),
});

export const inspector = defineAgent({
  name: 'inspector',
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions:
    'You decide whether a return can be paid back. Have it inspected. Reply with one word: pay or refuse.',
  tools: [inspect],
});
