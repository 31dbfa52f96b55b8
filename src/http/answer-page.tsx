/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { quorumOf } from '../agent/policy';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { RunView } from '../client';
import { Policy } from '../page-parts/policy';
import { RequestHeader } from '../page-parts/request-header';
import { pageTitleOf, titleOf } from '../page-parts/request-title';
import { Subject } from '../page-parts/subject';
import { Text } from '../page-parts/text';
import { DeadlineInFull, Moment } from '../page-parts/when';
import type { AnswerGrant, Decision } from '../tokens/answer-token';
import { DeclineForm, YesForm, type Given } from './answer-forms';
import { page } from './html';
import { InboxWay } from './inbox-way';
import { linkStanding, type LinkStanding } from './link-standing';

export interface AnswerPageProps {
  readonly run: RunView;
  readonly request: Request;
  /** Those of a relay request that have no result yet. */
  readonly calls: readonly RelayCall[];
  readonly grant: AnswerGrant;
  /** The request in the inbox, where that is served. */
  readonly inboxUrl?: string | undefined;
  readonly now: number;
  /** What was wrong with what was sent, and what it was. */
  readonly problem?: string;
  readonly given?: Given;
}

/** The page behind a link: what is asked, whole, who may answer, and the buttons that can succeed. Looking answers nothing. */
export function answerPage(props: AnswerPageProps): Promise<string> {
  const { run, request, calls, now } = props;
  const title = titleOf(request, calls);
  return page(
    pageTitleOf(run.runId, request, calls),
    <article class="request">
      <RequestHeader request={request} title={title} agent={run.agent}>
        <span>
          Run <Text text={run.runId} />
        </span>
        <DeadlineInFull expiresAt={request.expiresAt} now={now} />
      </RequestHeader>
      <Policy request={request} />
      <Subject request={request} calls={calls} title={title} />
      <section class="decide" aria-labelledby="decide">
        <h2 id="decide">Decide</h2>
        <Decide {...props} standing={linkStanding(request, props.grant, now)} />
      </section>
    </article>,
  );
}

function Decide(props: AnswerPageProps & { readonly standing: LinkStanding }) {
  const { standing, inboxUrl } = props;
  switch (standing.is) {
    case 'over':
      return <p>The deadline has passed. This counts as declined, and nothing can be answered any more.</p>;
    case 'nameless':
      return (
        <>
          <p>
            This link names nobody, and{' '}
            {standing.counted ? 'approvals are counted by person' : 'only those named above may answer'}: it
            cannot answer this request.
          </p>
          <InboxWay inboxUrl={inboxUrl} what="answer" />
        </>
      );
    case 'outsider':
      return (
        <>
          <p>
            By this link you are <Text text={standing.by} />, who is none of those who may answer.
          </p>
          <InboxWay inboxUrl={inboxUrl} what="answer" />
        </>
      );
    case 'voted':
      return (
        <>
          <p>
            You, <Text text={standing.vote.by} />, approved this on <Moment at={standing.vote.at} />. More
            people must agree.
          </p>
          <Forms {...props} decisions={standing.decisions} />
        </>
      );
    case 'may':
      return <Forms {...props} decisions={standing.decisions} />;
  }
}

function Forms({
  request,
  calls,
  grant: { by },
  inboxUrl,
  problem,
  given = {},
  decisions,
}: AnswerPageProps & { readonly decisions: readonly Decision[] }) {
  if (decisions.length === 0) return null;
  return (
    <>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          <Text text={problem} />
        </p>
      )}
      {by === undefined ? null : (
        <p>
          You answer as <Text text={by} />.
        </p>
      )}
      {decisions.includes('approve') ? <YesForm request={request} calls={calls} given={given} /> : null}
      {decisions.includes('decline') ? <DeclineForm kind={request.kind} given={given} /> : null}
      <p class="note">
        {quorumOf(request.policy) === 1 ? 'The first answer counts. ' : ''}Nothing happens before you press a
        button.
        {inboxUrl === undefined ? null : (
          <>
            {' '}
            With a sign-in there is more to do and to see <a href={inboxUrl}>in the inbox</a>.
          </>
        )}
      </p>
    </>
  );
}
