import type { JsonObject } from '../../src/agent/json';
import type { ModelRequest, ToolDeclaration } from '../../src/agent/model';

/** A request with one user message and no tools, changed by `changes`. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'gpt-test',
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [],
    signal: new AbortController().signal,
    ...changes,
  };
}

export const LOOKUP: ToolDeclaration = {
  name: 'lookup',
  description: 'Looks an order up',
  inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
};

/** A chat completion with this message, as text of a body. */
export function completion(message: JsonObject, rest: JsonObject = {}): { readonly malformed: string } {
  return { malformed: JSON.stringify({ model: 'gpt-test', choices: [{ index: 0, message }], ...rest }) };
}
