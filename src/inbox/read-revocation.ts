import { parseJson } from '../agent/json';
import type { Fields } from './read-decision';

/** Names of the fields by which an approval of all calls is taken back. */
export const REVOKE = { tool: 'tool', path: 'path' } as const;

/** Which approval a form takes back; `undefined` for a form of somebody's own making. */
export function readRevocation(
  fields: Fields,
): { readonly tool: string; readonly path: readonly string[] } | undefined {
  const tool = fields[REVOKE.tool] ?? '';
  const path = parseJson(fields[REVOKE.path] ?? '[]');
  if (tool === '' || !Array.isArray(path)) return undefined;
  const agents = (path as readonly unknown[]).filter((agent) => typeof agent === 'string');
  return agents.length === path.length ? { tool, path: agents } : undefined;
}
