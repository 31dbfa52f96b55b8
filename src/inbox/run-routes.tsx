/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import type { RunEvent } from '../agent/event';
import type { InboxContext, InboxEnv } from './environment';
import type { InboxClient } from './options';
import { RunPage } from './pages/run-page';
import type { Fields } from './read-decision';
import { readRevocation } from './read-revocation';
import { NO_ANSWER_SCOPE, RefusalPage, UNREADABLE } from './refusals';
import { render } from './render';
import { mayDecide } from './scopes';
import { timelineOf } from './timeline';
import { READ_MS } from './views-source';

/** A timeline of more bars than this tells nobody anything. */
const MAX_EVENTS = 2_000;

/** What the page says after something was taken back, by the word in its address. */
const NOTICES: ReadonlyMap<string | undefined, string> = new Map([
  ['taken-back', 'Taken back: the next call of this tool asks again.'],
  ['nothing', 'There was nothing to take back: somebody was faster, or the run has gone on.'],
]);

/** A run's page, and taking back what passes in it. */
export function addRunRoutes(
  app: Hono<InboxEnv>,
  form: (c: InboxContext) => Promise<Fields | Response>,
): void {
  app.get('/runs/:run', async (c) => {
    const { client, frame } = c.var;
    const runId = c.req.param('run');
    const [view, events] = await Promise.all([
      client.get(runId, { waitMs: READ_MS }),
      eventsOf(client, runId),
    ]);
    const ended = view.status !== 'running' && view.status !== 'pending';
    const notice = NOTICES.get(c.req.query('did'));
    return render(
      c,
      <RunPage
        frame={frame}
        view={view}
        timeline={timelineOf(events, frame.now, ended)}
        {...(notice !== undefined && { notice })}
      />,
    );
  });

  app.post('/runs/:run/revoke', async (c) => {
    const fields = await form(c);
    if (fields instanceof Response) return fields;
    const { client, frame, identity } = c.var;
    const refusal = mayDecide(identity) ? UNREADABLE : NO_ANSWER_SCOPE;
    const meant = readRevocation(fields);
    if (!mayDecide(identity) || !meant)
      return render(c, <RefusalPage frame={frame} refusal={refusal} />, refusal.status);
    const runId = c.req.param('run');
    const { tool, path } = meant;
    const by = identity.subject;
    const done = await client.revokeApproval(runId, tool, { by, path, waitMs: READ_MS });
    return c.redirect(`${frame.paths.run(runId)}?did=${done ? 'taken-back' : 'nothing'}`, 303);
  });
}

async function eventsOf(client: InboxClient, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of client.events(runId, { follow: false, waitMs: READ_MS })) {
    events.push(event);
    if (events.length >= MAX_EVENTS) break;
  }
  return events;
}
