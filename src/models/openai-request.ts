import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { Message, SystemMessage } from '../agent/message';
import type { ModelRequest, ToolChoice, ToolDeclaration } from '../agent/model';
import type { OutputFormat } from './output-format';

/** The body of a chat completions request. What is not asked for is left out, never null. */
export function toChatRequest(
  request: ModelRequest,
  format: OutputFormat | undefined,
): ChatCompletionCreateParamsNonStreaming {
  const { model, messages, tools, toolChoice, maxTokens, temperature } = request;
  return {
    model,
    messages: messages.map(toChatMessage),
    // Providers refuse an empty list, and a choice without a list (R17).
    ...(tools.length > 0 && { tools: tools.map(toChatTool) }),
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: toChatToolChoice(toolChoice) }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(format && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'output', strict: format.strict, schema: format.schema },
      },
    }),
  };
}

function toChatMessage(message: SystemMessage | Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      // Content parts are in the provider's own format, and its to judge.
      return { role: 'user', content: message.content as string | ChatCompletionContentPart[] };
    case 'assistant': {
      const calls = message.tool_calls ?? [];
      return {
        role: 'assistant',
        // Null stands only beside calls; a provider refuses a message that says nothing at all.
        content: message.content ?? (calls.length > 0 ? null : ''),
        // Argument strings go back exactly as they came (R18).
        ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ ...call })) }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content };
  }
}

function toChatTool(tool: ToolDeclaration): ChatCompletionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  };
}

function toChatToolChoice(choice: ToolChoice): ChatCompletionToolChoiceOption {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}
