import type { ToolMessage } from '../../src/agent/message';
import type { Generate, GenerateReply, GenerateRequest } from '../../src/in-process';

/** Replies in order; the last request past them fails. */
export function inOrder(
  ...replies: readonly (GenerateReply | ((request: GenerateRequest) => GenerateReply))[]
): Generate {
  let at = 0;
  return (request) => {
    const reply = replies[at];
    at += 1;
    if (!reply) throw new Error(`The script has ${replies.length} replies, and this is request ${at}.`);
    return typeof reply === 'function' ? reply(request) : reply;
  };
}

/** A reply that calls tools, `[name, arguments?, id?]` each; ids are c1, c2, … unless given. */
export function calling(
  ...calls: readonly (readonly [name: string, args?: string | object, id?: string])[]
): GenerateReply {
  return {
    toolCalls: calls.map(([name, args = {}, id], at) => ({ id: id ?? `c${at + 1}`, name, arguments: args })),
    usage: { inputTokens: 4, outputTokens: 4 },
  };
}

/** What the tools of the request's transcript gave, in order. */
export function outputsIn({ messages }: GenerateRequest): string[] {
  return messages
    .filter((message): message is ToolMessage => message.role === 'tool')
    .map(({ content }) => content);
}

/** A reply that repeats all tool outputs. */
export const echo = (request: GenerateRequest): GenerateReply => ({ content: outputsIn(request).join(',') });
