/** A response whose body somebody keeps an eye on. */
export interface WatchedResponse {
  readonly response: Response;
  /** Ends the body, as if it had been read. Rejects where what it is read from does. */
  readonly cancel: () => Promise<void>;
}

/** The same response, with `onEnd` called once its body has been read, has failed or was given up. */
export function withBodyEnd(original: Response, onEnd: () => void): WatchedResponse {
  if (!original.body) {
    onEnd();
    return { response: original, cancel: () => Promise.resolve() };
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = original.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = original;
  return { response: new Response(body, { status, statusText, headers }), cancel: () => reader.cancel() };
}
