/** Keeps an open page true: the list shows what came, and a request that is decided elsewhere loses its buttons. */
import { keepDeadlines } from './deadlines';
import { watchOutcome } from './watch-outcome';
import { watchList } from './watch-list';
import { watchRequest } from './watch-request';

keepDeadlines();
const place = document.querySelector<HTMLElement>('[data-live]');
if (place?.dataset['live'] === 'list') watchList(place);
if (place?.dataset['live'] === 'request') watchRequest(place);
if (place?.dataset['live'] === 'outcome') watchOutcome(place);
