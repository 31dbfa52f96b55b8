import { withBodyEnd } from '../../web/body-end';

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
  original: Response,
  { everyMs, ask }: StillAllowed,
  report: (failure: unknown) => void,
): Response {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const { response, cancel } = withBodyEnd(original, () => {
    over = true;
    clearTimeout(timer);
  });
  const askLater = (): void => {
    timer = setTimeout(() => void check(), everyMs).unref();
  };
  const check = async (): Promise<void> => {
    const isAllowed = await ask().catch((error: unknown) => {
      report(error);
      return false;
    });
    if (over) return;
    if (isAllowed) askLater();
    else await cancel().catch(report);
  };
  if (!over) askLater();
  return response;
}
