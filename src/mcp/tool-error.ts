import type { Json } from '../agent/json';
import { textContent, type ContentBlock } from './content';

/** A failure that the client receives, as a result with `isError`. */
export interface ToolError {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Json;
}

/** A failure with one block of text. */
export function errorMessage(text: string): ToolError {
  return { content: [textContent(text)] };
}

/** A failure with blocks of its own and, where given, a structured value. */
export function errorWith(blocks: readonly ContentBlock[], structured?: Json): ToolError {
  return { content: blocks, ...(structured !== undefined && { structuredContent: structured }) };
}
