/** JSON nested deeper than this is nobody's data, and whatever walks it by recursion would fail. As in the API. */
export const MAX_NESTING = 200;

/** Whether a value is nested too deep, found out without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth += 1) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return false;
  }
  return true;
}

function partsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
