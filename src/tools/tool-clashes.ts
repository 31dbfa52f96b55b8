import { HoldpointError } from '../agent/errors';
import type { Tool } from '../agent/tool';

/** Names of the built-in tools, on or off. */
export const BUILTIN_NAMES = [
  'apply_patch',
  'bash',
  'edit',
  'glob',
  'grep',
  'question',
  'read',
  'todowrite',
  'webfetch',
  'write',
] as const;

/**
 * Two tools may not share a name, and a relay tool may not have a builtin's name even with builtins off
 * (R6): the host would be asked to run what the model takes for something else.
 *
 * @throws HoldpointError `Holdpoint.Tool.Clash` that lists every clash, sorted
 */
export function refuseClashes(tools: readonly Tool[], owner: string): void {
  const seen = new Set<string>();
  const clashes = new Map<string, string>();
  for (const tool of tools) {
    if (seen.has(tool.name)) clashes.set(tool.name, 'is the name of more than one tool');
    else if (tool.source === 'relay' && isBuiltinName(tool.name))
      clashes.set(tool.name, 'is a relay tool with the name of a builtin');
    seen.add(tool.name);
  }
  if (clashes.size === 0) return;
  const names = [...clashes.keys()].sort();
  throw new HoldpointError(
    'Holdpoint.Tool.Clash',
    `The tools of ${owner} clash: ${names.map((name) => `${name} ${clashes.get(name) ?? ''}`).join('; ')}. Rename them.`,
    { names },
  );
}

function isBuiltinName(name: string): boolean {
  return (BUILTIN_NAMES as readonly string[]).includes(name);
}
