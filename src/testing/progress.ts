/** Takes one line of progress, without a line end, from a step that may last more than a few seconds. */
export type OnProgress = (line: string) => void;

/** `75_000` becomes `1 min 15 s`. */
export function spokenDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
