import { repeat } from './repeat';

const EVERY_MS = 1_500;

/** Shows what came of a decision, once it has. */
export function watchOutcome(first: HTMLElement): void {
  let place = first;
  repeat(EVERY_MS, async () => {
    const url = new URL(location.href);
    url.searchParams.set('part', 'outcome');
    const response = await fetch(url, { redirect: 'error' });
    if (!response.ok) throw new Error(`The page came with status ${response.status}`);
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('live');
    if (!next) return 'stop';
    if (next.textContent !== place.textContent) {
      place.replaceWith(next);
      place = next;
    }
    return next.dataset['live'] === 'outcome' ? 'go on' : 'stop';
  });
}
