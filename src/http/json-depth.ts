import { HoldpointError } from '../agent/errors';

/** JSON nested deeper than this is nobody's data, and whatever walks it by recursion would fail. */
export const MAX_NESTING = 200;

/** Refuses a JSON text that is nested too deep, before it is parsed. Throws `Holdpoint.Http.Malformed`. */
export function refuseDeepJson(text: string, what = 'The body'): void {
  if (!isTooDeep(text)) return;
  throw new HoldpointError(
    'Holdpoint.Http.Malformed',
    `${what} is nested deeper than ${MAX_NESTING} levels.`,
  );
}

export function isTooDeep(text: string): boolean {
  return nesting(text) > MAX_NESTING;
}

/** How deep a JSON text is nested, without parsing it. */
function nesting(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inText) {
      if (char === '\\') at += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1));
    else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
}
