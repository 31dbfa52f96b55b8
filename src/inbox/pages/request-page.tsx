/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { RelayCall } from '../../agent/relay';
import type { Request } from '../../agent/request';
import type { RunView } from '../../client/run-result';
import { mayAnswer } from '../../agent/policy';
import type { Identity } from '../../http/identity';
import type { Frame } from '../frame';
import { Decisions } from '../parts/decisions';
import { Policy } from '../../page-parts/policy';
import { Receipts } from '../../page-parts/receipts';
import { Rejections } from '../../page-parts/rejections';
import { RequestHeader } from '../../page-parts/request-header';
import { pageTitleOf, titleOf } from '../../page-parts/request-title';
import { Subject } from '../../page-parts/subject';
import { Text } from '../../page-parts/text';
import { Transcript } from '../parts/transcript';
import { DeadlineInFull } from '../../page-parts/when';
import type { Fields } from '../read-decision';
import { mayDecide } from '../scopes';
import { Page } from './page';

export interface RequestPageProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly request: Request;
  readonly calls: readonly RelayCall[];
  /** What was wrong with what was sent, and what it was. */
  readonly problem?: string;
  readonly given?: Fields;
}

/** One request: what it asks, whole, then what may be decided, and what has happened so far. */
export function RequestPage({ frame, view, request, calls, problem, given = {} }: RequestPageProps) {
  const { paths, assets } = frame;
  const to = paths.request(view.runId, request.id);
  const receipts = view.receipts ?? [];
  const rejections = (view.rejections ?? []).filter(({ requestId }) => requestId === request.id);
  const title = titleOf(request, calls);
  const lack = lackOf(frame.identity, request);
  return (
    <Page
      frame={frame}
      title={pageTitleOf(view.runId, request, calls)}
      scripts={[assets.live, ...(hasForm(request) ? [assets.form] : [])]}
    >
      <p class="back">
        <a href={paths.home}>What is waiting</a>
      </p>
      <div class="columns" data-live="request" data-state={`${to}/state`}>
        <article class="request">
          <RequestHeader request={request} title={title} agent={view.agent}>
            <DeadlineInFull expiresAt={request.expiresAt} now={frame.now} />
            <a href={paths.run(view.runId)}>
              Run <Text text={view.runId} />
            </a>
          </RequestHeader>
          <Policy request={request} />
          <Subject request={request} calls={calls} title={title} />
          <section class="decide" aria-labelledby="decide">
            <h2 id="decide">Decide</h2>
            <div id="state" role="status"></div>
            {problem === undefined ? null : (
              <p class="problem" role="alert">
                {problem}
              </p>
            )}
            {lack === undefined ? (
              <Decisions frame={frame} request={request} calls={calls} to={to} given={given} />
            ) : (
              <p class="muted">{lack}</p>
            )}
          </section>
        </article>
        <aside class="around">
          <section>
            <h2>Who decided what</h2>
            <Receipts receipts={receipts} calls={view.toolCalls} />
          </section>
          {rejections.length === 0 ? null : (
            <section>
              <h2>Refused attempts</h2>
              <Rejections rejections={rejections} />
            </section>
          )}
          <section>
            <h2>The conversation so far</h2>
            <Transcript view={view} />
          </section>
        </aside>
      </div>
    </Page>
  );
}

/** Why somebody may read a request and not decide it. */
function lackOf(identity: Identity | undefined, { policy }: Request): string | undefined {
  if (!identity || !mayDecide(identity))
    return 'You may read this and not decide it: your sign-in has no scope requests:answer.';
  const { subject, roles } = identity;
  return mayAnswer(policy, { by: subject, roles })
    ? undefined
    : 'You may read this and not decide it: the request names who may, and you are none of them.';
}

function hasForm({ kind, data }: Request): boolean {
  return kind !== 'approval' && data?.['form'] !== undefined;
}
