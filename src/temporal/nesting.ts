const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/**
 * True when JSON text nests arrays and objects deeper than `limit`. Reading such a value is no trouble, but
 * writing or comparing it overflows the stack, at a depth that differs from one worker to the next.
 */
export function nestsDeeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.includes(byte)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (CLOSING.includes(byte)) depth -= 1;
  }
  return false;
}
