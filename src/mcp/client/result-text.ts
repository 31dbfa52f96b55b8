import { errorMessage } from '../../agent/errors';
import type { Json, JsonObject } from '../../agent/json';
import { errorResult, okResult, type ToolResult } from '../../agent/tool';
import type { ToolCallResult } from '../bound-tool';
import type { ContentBlock } from '../content';
import { UnusableResult } from './remote-result';

/**
 * The result of a call as the model reads it: its text blocks, or the structured value where there is none. What
 * is no text is named, with its size. The structured value itself is kept in the metadata, as `structuredContent`.
 */
export function toAgentResult({ content, structuredContent, isError }: ToolCallResult): ToolResult {
  const text = content.map(textOf).join('\n');
  const output = text === '' && structuredContent !== undefined ? written(structuredContent) : text;
  const metadata: JsonObject | undefined =
    structuredContent === undefined ? undefined : { structuredContent };
  if (isError) return errorResult(output === '' ? 'The tool failed and said nothing.' : output, metadata);
  return okResult(output, metadata);
}

/** The tool ran, whatever it gave: one nested more deeply than the stack is no lost call. */
function written(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new UnusableResult(`its structured content cannot be written as JSON: ${errorMessage(error)}.`);
  }
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes, not shown]`;
    case 'resource': {
      const { uri, text, blob = '' } = block.resource;
      return text ?? `[resource ${uri}, ${bytesOf(blob)} bytes, not shown]`;
    }
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
    default:
      // A later revision's, which the model cannot be shown.
      return '[content of an unknown type, not shown]';
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
