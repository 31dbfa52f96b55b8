import { defineAgent, relayTool } from 'holdpoint';
import { z } from 'zod';

export const TASK_QUEUE = 'example-conversation';

/** The host asks a guide, who may be on a mountain until the evening. */
const askGuide = relayTool({
  name: 'ask_guide',
  description: 'Asks the mountain guide.',
  inputSchema: z.object({ question: z.string() }),
  expiresIn: '3 days',
});

export const tours = defineAgent({
  name: 'tours',
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions: 'You answer questions about guided tours. What you do not know you ask the guide.',
  tools: [askGuide],
});
