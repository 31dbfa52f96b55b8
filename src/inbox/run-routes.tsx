/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import type { RunEvent } from '../agent/event';
import type { InboxEnv } from './environment';
import type { InboxClient } from './options';
import { RunPage } from './pages/run-page';
import { render } from './render';
import { READ_MS } from './views-source';
import { timelineOf } from './timeline';

/** A timeline of more bars than this tells nobody anything. */
const MAX_EVENTS = 2_000;

export function addRunRoutes(app: Hono<InboxEnv>): void {
  app.get('/runs/:run', async (c) => {
    const { client, frame } = c.var;
    const runId = c.req.param('run');
    const [view, events] = await Promise.all([
      client.get(runId, { waitMs: READ_MS }),
      eventsOf(client, runId),
    ]);
    const ended = view.status !== 'running' && view.status !== 'pending';
    return render(c, <RunPage frame={frame} view={view} timeline={timelineOf(events, frame.now, ended)} />);
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
