import type { Tool } from '@modelcontextprotocol/client';
import type { JsonObject, JsonSchema } from '../../agent/json';
import type { Icon } from '../content';
import type { Declaration, ToolAnnotations } from '../declaration';

/** A declaration as `tools/list` gave it. What a later revision may have added is left out. */
export function toDeclaration(tool: Tool): Declaration {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as JsonSchema,
    ...(outputSchema && { outputSchema: outputSchema as JsonSchema }),
    annotations: (annotations ?? {}) as ToolAnnotations,
    icons: (icons ?? []) as readonly Icon[],
    meta: (_meta ?? {}) as JsonObject,
  };
}
