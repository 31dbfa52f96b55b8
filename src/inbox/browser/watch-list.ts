import { repeat } from './repeat';
import { showDeadlines } from './deadlines';

const EVERY_MS = 3_000;

/** Replaces the rows when others are waiting. Whoever is at a row with the keyboard stays there. */
export function watchList(first: HTMLElement): void {
  let place = first;
  let version = '?';
  const changes = document.getElementById('changes');
  repeat(EVERY_MS, async () => {
    const url = new URL(location.href);
    url.searchParams.set('part', version);
    const response = await fetch(url, { redirect: 'error' });
    if (response.status === 401) {
      location.reload();
      return 'stop';
    }
    if (response.status === 204) return 'go on';
    if (!response.ok) throw new Error(`The list came with status ${response.status}`);
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('live');
    if (!next) throw new Error('The list came without its rows');
    const known = version !== '?';
    version = response.headers.get('Holdpoint-Version') ?? '?';
    const focused = document.activeElement?.getAttribute('href');
    const before = Number(place.dataset['count']);
    place.replaceWith(next);
    place = next;
    showDeadlines();
    if (focused)
      [...next.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
    const count = Number(next.dataset['count']);
    document.title = document.title.replace(/^(\(\d+\) )?/, count === 0 ? '' : `(${count}) `);
    if (changes && (known || count !== before)) changes.textContent = `${count} waiting.`;
    return 'go on';
  });
}
