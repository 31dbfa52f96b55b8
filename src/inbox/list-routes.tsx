/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import type { InboxContext, InboxEnv } from './environment';
import { ListPage, Rows } from './pages/list-page';
import { render } from './render';
import type { RowsSource } from './rows-source';
import { versionOf } from './version';
import { waitingFor, type WaitingFilter } from './waiting';

/** What waits, as a page, and as the part of it that the page reads again. */
export function addListRoutes(app: Hono<InboxEnv>, source: RowsSource): void {
  const show = async (c: InboxContext): Promise<Response> => {
    const { frame, identity, client } = c.var;
    const filter = filterIn(c);
    const part = c.req.query('part');
    const rows = await source.rows(client, identity.tenant, part === undefined);
    const waiting = waitingFor(identity, rows, filter);
    if (part === undefined) return render(c, <ListPage frame={frame} waiting={waiting} filter={filter} />);
    // The words for times change by themselves; only other rows are news.
    const version = versionOf(
      waiting.rows.map(({ runId, request, confirmed }) => [
        runId,
        request.id,
        confirmed,
        request.policy?.votes?.length,
      ]),
    );
    if (part === version) return c.body(null, 204);
    c.header('Holdpoint-Version', version);
    return render(c, <Rows frame={frame} waiting={waiting} filter={filter} />);
  };
  app.get('/', show);
}

function filterIn(c: InboxContext): WaitingFilter {
  const agent = c.req.query('agent');
  const kind = c.req.query('kind');
  const everybody = c.req.query('whose') === 'everybody';
  return { ...(agent && { agent }), ...(kind && { kind }), ...(everybody && { everybody }) };
}
