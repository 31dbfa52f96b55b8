import type { Tool } from '@modelcontextprotocol/server';
import type { Declaration } from '../declaration';

/** A declaration as `tools/list` sends it: what is empty is left out. */
export function toWireTool({ meta, icons, annotations, ...declared }: Declaration): Tool {
  return {
    ...declared,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(icons.length > 0 && { icons }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  } as Tool;
}
