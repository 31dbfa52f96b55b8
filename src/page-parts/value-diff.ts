import { canonicalJson, isRecord, type Json } from '../agent/json';

/** One place where two values differ. `before` is absent for what was added, `after` for what was taken away. */
export interface Change {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** What an edit changes, place by place, in the order of the value before. */
export function valueDiff(before: Json, after: Json, path = ''): Change[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isRecord(before) && isRecord(after)) return recordDiff(before, after, path);
  if (Array.isArray(before) && Array.isArray(after))
    return recordDiff({ ...(before as Json[]) }, { ...(after as Json[]) }, path, true);
  return [{ path, before, after }];
}

function recordDiff(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
  isList = false,
): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const place = isList ? `${path}[${Number(name) + 1}]` : path === '' ? name : `${path} › ${name}`;
    const old = Object.hasOwn(before, name) ? (before[name] as Json | undefined) : undefined;
    const now = Object.hasOwn(after, name) ? (after[name] as Json | undefined) : undefined;
    if (old === undefined) return now === undefined ? [] : [{ path: place, after: now }];
    if (now === undefined) return [{ path: place, before: old }];
    return valueDiff(old, now, place);
  });
}
