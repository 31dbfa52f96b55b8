import { scriptedModel, type RecordedRequest, type ScriptedTurn } from 'holdpoint/testing';
import { z } from 'zod';

/** Where the worker finds its model. */
export interface DemoModel {
  /** One line for the reader. */
  readonly what: string;
  /** What the worker's environment gets. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The provider that the environment names, or a model server of our own that plays the refund desk. */
export async function startModel(): Promise<DemoModel> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
  if (OPENAI_API_KEY || OPENAI_BASE_URL)
    return { what: OPENAI_BASE_URL || 'OpenAI', env: {}, close: async () => undefined };
  const model = await scriptedModel(playRefundDesk);
  return {
    what: `scripted, at ${model.baseURL} (set OPENAI_API_KEY for a real one)`,
    env: { OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'none' },
    close: () => model.close(),
  };
}

const callSchema = z.object({ id: z.string(), function: z.object({ name: z.string() }) });
const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(callSchema).optional(),
});
const orderSchema = z.object({ order: z.string(), item: z.string(), amountCents: z.number() });

/** Decides from the conversation alone, as a model does: any worker may ask, at any time. */
function playRefundDesk({ body }: RecordedRequest): ScriptedTurn {
  const messages = z.array(messageSchema).parse(body['messages']);
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const resultOf = (name: string): string | undefined => {
    const id = calls.find((call) => call.function.name === name)?.id;
    return messages.find((message) => message.tool_call_id === id && id !== undefined)?.content ?? undefined;
  };
  const asked = messages.find((message) => message.role === 'user')?.content ?? '';
  const number = /\d{3,}/.exec(asked)?.[0];
  if (number === undefined) return { content: 'Which order is it about? Please tell me its number.' };
  const call = (name: string, args: Record<string, string | number>): ScriptedTurn => ({
    toolCalls: [{ id: `call_${calls.length + 1}`, name, arguments: args }],
  });

  const found = resultOf('lookup_order');
  if (found === undefined) return call('lookup_order', { order: number });
  const order = readOrder(found);
  if (!order) return { content: `I could not find your order. ${found}` };
  const warehouse = resultOf('ask_warehouse');
  if (warehouse === undefined) return call('ask_warehouse', { order: number });
  if (!/came back/i.test(warehouse) || /\b(not|never)\b/i.test(warehouse))
    return { content: `I cannot refund order ${number} yet. ${warehouse}` };
  const refunded = resultOf('refund');
  if (refunded === undefined) return call('refund', { order: number, amountCents: order.amountCents });
  if (!/paid/i.test(refunded)) return { content: `Your refund was not approved. ${refunded}` };
  return { content: `Your refund for "${order.item}" is done. ${refunded}` };
}

function readOrder(text: string): z.infer<typeof orderSchema> | undefined {
  try {
    return orderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
