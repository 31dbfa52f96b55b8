import { jsonSize, type JsonObject } from './json';
import type { CallMark, CallState, RunState } from './run-state';
import type { ToolResult } from './tool';

/** A run shows the marks of all its calls at once, and takes them along when it continues as new. */
const MAX_MARK_BYTES = 262_144;

/** Notes what the transcript does not say of a turn's calls, as far as there is room: `at` is a result's index. */
export function callMarker({ marks }: RunState): (at: number, call: CallState, result: ToolResult) => void {
  let room = MAX_MARK_BYTES - marks.reduce((sum, mark) => sum + sizeOf(mark), 0);
  const fitting = (value: JsonObject, what: string): JsonObject => {
    const bytes = jsonSize(value);
    if (bytes > room) return { omitted: `${bytes} bytes of ${what}; a run keeps ${MAX_MARK_BYTES} in all` };
    room -= bytes;
    return value;
  };
  return (at, { edited }, { isError, metadata }) => {
    marks.push({
      at,
      isError,
      ...(metadata && { metadata: fitting(metadata, 'metadata') }),
      ...(edited && { input: fitting(edited, 'edited arguments') }),
    });
  };
}

function sizeOf({ input, metadata }: CallMark): number {
  return (input ? jsonSize(input) : 0) + (metadata ? jsonSize(metadata) : 0);
}
