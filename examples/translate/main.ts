/** Single provider calls for a loop of one's own: `npm run example translate`. */
import { defineTool, translate, type Json, type Message, type TranslateTarget } from 'holdpoint';
import { z } from 'zod';
import { startModel, type Play } from '../stage/model';

const QUESTION = 'How far is it from Bern to Zermatt?';

/** Declared to the model; `translate` never runs it. */
const distance = defineTool({
  name: 'distance',
  description: 'Kilometres between two places, by train.',
  inputSchema: z.object({ from: z.string(), to: z.string() }),
  execute: ({ from, to }) => `${from} to ${to}: 132 km`,
});

/** The model's part, where none is named. */
const PLAY: Play = [
  () => ({
    toolCalls: [{ id: 'c1', name: 'distance', arguments: { from: 'Bern', to: 'Zermatt' } }],
    // Some providers say `stop` beside calls; `translate` says what is there.
    finishReason: 'stop',
  }),
  ({ results }) => ({ content: `By train it is this far: ${results.at(-1)}.` }),
];

async function main(): Promise<void> {
  const model = await startModel(PLAY);
  try {
    const baseURL = model.env['OPENAI_BASE_URL'];
    await converse({ model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini', ...(baseURL && { baseURL }) });
  } finally {
    await model.close();
  }
}

/** The caller keeps the messages and decides what runs, and when it is enough. */
async function converse(target: TranslateTarget): Promise<void> {
  const messages: Message[] = [{ role: 'user', content: QUESTION }];
  for (;;) {
    const turn = await translate(target, { messages, tools: [distance] });
    console.log(`${turn.finishReason}: ${turn.text || JSON.stringify(turn.toolCalls)}`);
    if (turn.toolCalls.length === 0) return;
    messages.push({
      role: 'assistant',
      content: turn.text || null,
      tool_calls: turn.toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    });
    for (const call of turn.toolCalls) {
      const result = await distance.call?.(JSON.parse(call.arguments) as Json);
      messages.push({ role: 'tool', tool_call_id: call.id, content: result?.output ?? '' });
    }
  }
}

void main();
