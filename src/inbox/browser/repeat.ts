/** Asks again and again while somebody looks, at once when they look again, and slower while it fails. */
export function repeat(everyMs: number, ask: () => Promise<'go on' | 'stop'>): { readonly now: () => void } {
  let timer: number | undefined;
  let asking = false;
  let stopped = false;
  let failures = 0;
  const plan = (): void => {
    if (!stopped) timer = window.setTimeout(() => void once(), everyMs * Math.min(8, 2 ** failures));
  };
  const once = async (): Promise<void> => {
    if (asking || stopped || document.hidden) return;
    window.clearTimeout(timer);
    asking = true;
    try {
      stopped = (await ask()) === 'stop';
      failures = 0;
    } catch {
      failures += 1;
    }
    asking = false;
    plan();
  };
  document.addEventListener('visibilitychange', () => void once());
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void once();
  });
  plan();
  return { now: () => void once() };
}
