import { repeat } from './repeat';
import { onDeadline } from './deadlines';

const EVERY_MS = 3_000;

/** Says that a request was decided elsewhere, or has expired, and takes its buttons away. */
export function watchRequest(place: HTMLElement): void {
  const url = place.dataset['state'];
  if (url === undefined) return;
  let left: unknown;
  const { now } = repeat(EVERY_MS, async () => {
    const response = await fetch(url, { redirect: 'error' });
    if (response.status === 401) {
      say('You are signed out. Sign in again, and decide then.', location.href, 'Sign in');
      return 'stop';
    }
    if (response.status === 404) {
      close('This is no longer there.');
      return 'stop';
    }
    if (!response.ok) throw new Error(`The state came with status ${response.status}`);
    const state = (await response.json()) as { open: boolean; words?: string; left?: number };
    if (!state.open || state.words !== undefined) {
      close(state.words ?? 'This is no longer open.');
      return state.open ? 'go on' : 'stop';
    }
    if (left !== undefined && left !== state.left)
      say('Somebody gave one of the results meanwhile.', location.href, 'Show what is left');
    left = state.left;
    return 'go on';
  });
  // The server says whether it is over: this machine's clock may be wrong.
  onDeadline(now);
}

function close(words: string): void {
  for (const form of document.querySelectorAll('[data-decides]')) {
    if (form instanceof HTMLAnchorElement) {
      form.removeAttribute('href');
      form.setAttribute('aria-disabled', 'true');
      continue;
    }
    for (const field of form.querySelectorAll<HTMLButtonElement | HTMLInputElement>(
      'button, input, textarea, select',
    ))
      field.disabled = true;
  }
  const address = location.pathname.replace(/\/edit$/, '');
  say(words, address, 'Show who decided what');
}

function say(words: string, href: string, label: string): void {
  const place = document.getElementById('state');
  if (!place) return;
  const text = document.createElement('p');
  text.className = 'notice';
  const link = document.createElement('a');
  link.href = href;
  link.textContent = label;
  text.append(`${words} `, link);
  place.replaceChildren(text);
}
