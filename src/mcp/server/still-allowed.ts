/** How often it is asked, while a client listens, whether it still may. */
export interface StillAllowed {
  readonly everyMs: number;
  /** A rejection is a no. */
  readonly ask: () => Promise<boolean>;
}

const LISTENING = 'subscriptions/listen';

/** A stream that has no end. Its method stands in the header, which must say what the body says. */
export function isListening({ headers }: Request): boolean {
  return headers.get('mcp-method') === LISTENING;
}

/** The same response, whose body ends when its reader may not read on. */
export function whileAllowed(
  response: Response,
  { everyMs, ask }: StillAllowed,
  report: (failure: unknown) => void,
): Response {
  if (!response.body) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const end = (): void => {
    over = true;
    clearTimeout(timer);
  };
  const askLater = (): void => {
    timer = setTimeout(() => void check(), everyMs).unref();
  };
  const check = async (): Promise<void> => {
    const isAllowed = await ask().catch((error: unknown) => {
      report(error);
      return false;
    });
    if (over) return;
    if (isAllowed) return askLater();
    end();
    // What is being read ends with it.
    await reader.cancel().catch(report);
  };
  const body = new ReadableStream<Uint8Array>({
    start: askLater,
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
