/** The deep link of a request, below the place where the inbox is mounted. An id stays one segment, whatever is in it. */
export function requestPath(runId: string, requestId: string): string {
  return `/requests/${encodeURIComponent(runId)}/${encodeURIComponent(requestId)}`;
}
