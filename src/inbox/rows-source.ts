import type { OpenRequestRow } from '../client/open-requests';
import type { InboxClient } from './options';

/** Each open page reads on every few seconds; all of a tenant's share what the server was asked. */
const KEPT_MS = 1_500;
const WAIT_MS = 20_000;

export interface RowsSource {
  /** `latest`: for somebody who asks just now, not for a page that reads on. */
  rows(client: InboxClient, tenant: string | undefined, latest: boolean): Promise<readonly OpenRequestRow[]>;
}

export function newRowsSource(): RowsSource {
  const kept = new Map<string, { readonly at: number; readonly rows: Promise<readonly OpenRequestRow[]> }>();
  return {
    rows(client, tenant, latest) {
      const key = JSON.stringify(tenant ?? null);
      const known = kept.get(key);
      if (known && !latest && Date.now() - known.at < KEPT_MS) return known.rows;
      const rows = client.requests({ ...(tenant !== undefined && { tenant }), waitMs: WAIT_MS });
      kept.set(key, { at: Date.now(), rows });
      setTimeout(() => {
        if (kept.get(key)?.rows === rows) kept.delete(key);
      }, KEPT_MS).unref();
      // A failure is for those who wait for it now, not for the next ones.
      rows.catch(() => {
        if (kept.get(key)?.rows === rows) kept.delete(key);
      });
      return rows;
    },
  };
}
