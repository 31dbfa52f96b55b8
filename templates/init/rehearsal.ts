import type { Model, ModelResponse } from 'holdpoint';

const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const say = (text: string): ModelResponse => ({
  text,
  toolCalls: [],
  finishReason: 'stop',
  usage,
  model: 'rehearsal',
});
const call = (name: string, args: object): ModelResponse => ({
  text: null,
  toolCalls: [{ id: `call_${name}`, name, arguments: JSON.stringify(args) }],
  finishReason: 'tool_calls',
  usage,
  model: 'rehearsal',
});

/** Plays the refund desk without a model, so that you can try the project before you have a key. Delete it then. */
export const rehearsal: Model = {
  async generate({ messages }) {
    // In a conversation only what was last asked for, and what came of it, counts.
    const last = messages.findLastIndex((message) => message.role === 'user');
    const asked = messages[last]?.content;
    const results = messages
      .slice(last)
      .flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    const order = typeof asked === 'string' ? /\d+/.exec(asked)?.[0] : undefined;
    if (order === undefined) return say('Which order is it about? Please tell me its number.');
    const [found, paid] = results;
    if (found === undefined) return call('lookup_order', { order });
    const euros = /"euros":([\d.]+)/.exec(found)?.[1];
    if (euros === undefined) return say(`I could not find it. ${found}`);
    if (paid === undefined) return call('refund', { order, euros: Number(euros) });
    return say(paid);
  },
};
