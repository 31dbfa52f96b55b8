import { defineAgent, relayTool } from 'holdpoint';
import { z } from 'zod';

export const TASK_QUEUE = 'example-browser';

/** What `click` takes. The host reads it with the same schema. */
export const clickSchema = z.object({ button: z.string().describe('The text of the button') });

/** Both tools have no behaviour here: whoever has the browser executes them. */
const readPage = relayTool({
  name: 'read_page',
  description: 'Reads what the page shows. Buttons stand in brackets.',
});
const click = relayTool({
  name: 'click',
  description: 'Clicks a button of the page.',
  inputSchema: clickSchema,
});

export const shopper = defineAgent({
  name: 'shopper',
  model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini',
  instructions:
    'You shop for the user in a browser. Read the page first. Say in the end what the basket holds.',
  tools: [readPage, click],
  limits: { maxTotalTurns: 20 },
});
