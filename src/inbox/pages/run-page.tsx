/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { RunView } from '../../client/run-result';
import type { Frame } from '../frame';
import { kindWords } from '../../page-parts/kinds';
import { Rejections } from '../../page-parts/rejections';
import { Receipts } from '../../page-parts/receipts';
import { Text } from '../../page-parts/text';
import { Grants } from '../parts/grants';
import { mayDecide } from '../scopes';
import { Timeline } from '../parts/timeline';
import { Transcript } from '../parts/transcript';
import { Deadline, Moment } from '../../page-parts/when';
import { subjectLine } from '../../page-parts/subject-line';
import type { Timeline as Times } from '../timeline';
import { Page } from './page';

export interface RunPageProps {
  /** Said once, after something was taken back. */
  readonly notice?: string;
  readonly frame: Frame;
  readonly view: RunView;
  readonly timeline: Times | undefined;
}

/** A run as its record tells it: when what happened, what was said, who decided. */
export function RunPage({ frame, view, timeline, notice }: RunPageProps) {
  const { grants = [], rejections = [] } = view;
  const requests = view.status === 'pending' || view.status === 'running' ? (view.requests ?? []) : [];
  return (
    <Page frame={frame} title={`Run ${view.runId}`} scripts={[frame.assets.live]}>
      <p class="back">
        <a href={frame.paths.home}>What is waiting</a>
      </p>
      {notice === undefined ? null : (
        <p class="notice good" role="status">
          {notice}
        </p>
      )}
      <header>
        <h1>
          Run <Text text={view.runId} />
        </h1>
        <p class="facts">
          {view.agent === undefined ? null : (
            <span>
              Agent <Text text={view.agent} />
            </span>
          )}
          <span class={`status ${view.status}`}>{STATUS[view.status]}</span>
          <span>
            {[
              counted(view.turns, 'turn'),
              counted(view.toolCallCount, 'call'),
              counted(view.usage.totalTokens, 'token'),
            ].join(', ')}
          </span>
          {timeline === undefined ? null : (
            <span>
              began on <Moment at={new Date(timeline.startedAt).toISOString()} />
            </span>
          )}
        </p>
        {view.status === 'failed' ? (
          <p class="problem">
            <Text text={`${view.error.type}: ${view.error.message}`} />
          </p>
        ) : null}
      </header>
      {requests.length === 0 ? null : (
        <section>
          <h2>It waits for</h2>
          <ul class="rows">
            {requests.map((request) => (
              <li>
                <a class="entry" href={frame.paths.request(view.runId, request.id)}>
                  <span class="kind" data-kind={request.kind}>
                    <Text text={kindWords(request.kind)} />
                  </span>
                  <span class="what">
                    <strong>
                      <Text text={subjectLine(request).title} />
                    </strong>
                  </span>
                  <span class="facts">
                    <Deadline expiresAt={request.expiresAt} now={frame.now} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {grants.length === 0 ? null : (
        <section>
          <h2>Passes without being asked</h2>
          <Grants
            frame={frame}
            grants={grants}
            to={mayTakeBack(frame, view) ? frame.paths.revoke(view.runId) : undefined}
          />
        </section>
      )}
      {timeline === undefined ? null : (
        <section>
          <h2>Timeline</h2>
          <Timeline timeline={timeline} />
        </section>
      )}
      <section>
        <h2>Who decided what</h2>
        <Receipts receipts={view.receipts ?? []} calls={view.toolCalls} />
      </section>
      {rejections.length === 0 ? null : (
        <section>
          <h2>Refused attempts</h2>
          <Rejections rejections={rejections} />
        </section>
      )}
      <section>
        <h2>The conversation</h2>
        <Transcript view={view} />
      </section>
    </Page>
  );
}

/** A sub-agent's approvals are taken back where they were given: at the run that called it. */
function mayTakeBack({ identity }: Frame, { runId }: RunView): boolean {
  return identity !== undefined && mayDecide(identity) && !/\/agent-\d+-\d+$/.test(runId);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const STATUS = {
  running: 'running',
  pending: 'waiting for an answer',
  done: 'done',
  incomplete: 'came to a limit',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;
