import { spokenMs } from '../../agent/spoken-time';

const EVERY_MS = 1_000;
const SOON_MS = 3_600_000;
const listeners: (() => void)[] = [];

/** Keeps the words for what is left of each deadline up to date. */
export function keepDeadlines(): void {
  showDeadlines();
  window.setInterval(showDeadlines, EVERY_MS);
}

export function showDeadlines(): void {
  for (const time of document.querySelectorAll<HTMLElement>('time[data-deadline]')) {
    const left = Date.parse(time.dataset['deadline'] ?? '') - Date.now();
    const words = left <= 0 ? 'expired' : `expires in ${spokenMs(left)}`;
    if (time.textContent !== words) time.textContent = words;
    time.classList.toggle('soon', left < SOON_MS);
    if (left <= 0 && !time.dataset['over']) {
      time.dataset['over'] = 'yes';
      for (const listener of listeners) listener();
    }
  }
}

/** Called once when the page's deadline passes while it is open. */
export function onDeadline(listener: () => void): void {
  listeners.push(listener);
  if (document.querySelector('time[data-over]')) listener();
}
