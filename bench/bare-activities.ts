import type { Message } from '../src/agent/message';
import { toolMessage } from '../src/agent/message';
import type { Model } from '../src/agent/model';
import { page, PAGE_TOOL, type Workload } from './workload';

export interface BareCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface BareReply {
  readonly text: string;
  readonly call?: BareCall;
}

/** Property signatures: an activity has no `this`. */
export interface BareActivities {
  readonly callModel: (run: string, question: string | undefined) => Promise<BareReply>;
  readonly callTool: (run: string, call: BareCall) => Promise<string>;
}

/**
 * The same model request and the same tool as in a run of ours. The transcript stays in this process's memory
 * and is lost with it, so that history holds each reply and each result once and nothing else.
 */
export function createBareActivities(model: Model, workload: Workload): BareActivities {
  const transcripts = new Map<string, Message[]>();
  return {
    callModel: async (run, question) => {
      const messages = transcripts.get(run) ?? [];
      transcripts.set(run, messages);
      if (question !== undefined) messages.push({ role: 'user', content: question });
      const { signal } = new AbortController();
      const reply = await model.generate({ model: 'scripted', messages, tools: [PAGE_TOOL], signal });
      const [call] = reply.toolCalls.map(({ id = '', ...rest }) => ({ id, ...rest }));
      messages.push({
        role: 'assistant',
        content: reply.text,
        ...(call && {
          tool_calls: [
            { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } },
          ],
        }),
      });
      return { text: reply.text ?? '', ...(call && { call }) };
    },
    callTool: async (run, call) => {
      const { number } = JSON.parse(call.arguments) as { number: number };
      const output = page(number, workload);
      transcripts.get(run)?.push(toolMessage(call.id, output));
      return output;
    },
  };
}
