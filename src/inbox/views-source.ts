import type { RunView } from '../client/run-result';
import { KeptLooks } from './kept-looks';
import type { InboxClient } from './options';

/** A page is not worth a minute of waiting for a worker. */
export const READ_MS = 15_000;

/** Runs as pages that are open read them on: all that show a run share what it was asked. */
export interface ViewsSource {
  /** `messages: false` costs the run the least; it will do while nothing has changed. */
  recent(client: InboxClient, tenant: string | undefined, runId: string, messages: boolean): Promise<RunView>;
}

export function newViewsSource(): ViewsSource {
  const looks = new KeptLooks<RunView>();
  return {
    recent: (client, tenant, runId, messages) =>
      looks.recent(JSON.stringify([tenant ?? null, runId, messages]), () =>
        client.get(runId, { waitMs: READ_MS, messages }),
      ),
  };
}
