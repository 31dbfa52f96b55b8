import type { OpenRequestRow } from '../client/open-requests';
import { KeptLooks } from './kept-looks';
import type { InboxClient } from './options';

const WAIT_MS = 20_000;

export interface RowsSource {
  /** `latest`: for somebody who asks just now, not for a page that reads on. */
  rows(client: InboxClient, tenant: string | undefined, latest: boolean): Promise<readonly OpenRequestRow[]>;
}

export function newRowsSource(): RowsSource {
  const looks = new KeptLooks<readonly OpenRequestRow[]>();
  return {
    rows(client, tenant, latest) {
      const key = JSON.stringify(tenant ?? null);
      const take = (): Promise<readonly OpenRequestRow[]> =>
        client.requests({ ...(tenant !== undefined && { tenant }), waitMs: WAIT_MS });
      return latest ? looks.latest(key, take) : looks.recent(key, take);
    },
  };
}
