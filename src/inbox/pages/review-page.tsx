/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { JsonObject } from '../../agent/json';
import type { Request } from '../../agent/request';
import type { Frame } from '../frame';
import { Diff } from '../../page-parts/diff';
import { ExactJson } from '../../page-parts/exact-json';
import { DecisionForm, SeenDigest } from '../parts/field';
import { Text } from '../../page-parts/text';
import { Deadline } from '../../page-parts/when';
import { FIELDS } from '../read-decision';
import { inputOf } from './edit-page';
import { Page, Token } from './page';

export interface ReviewPageProps {
  readonly frame: Frame;
  readonly runId: string;
  readonly request: Request;
  readonly input: JsonObject;
}

/** What an edit changes and exactly what would run, before the button that lets it. */
export function ReviewPage({ frame, runId, request, input }: ReviewPageProps) {
  const back = frame.paths.request(runId, request.id);
  const tool = request.data?.['tool'];
  const text = JSON.stringify(input);
  return (
    <Page
      frame={frame}
      title={`Review the change \u00b7 ${typeof tool === 'string' ? tool : request.prompt} \u00b7 ${runId}`}
      scripts={[frame.assets.live]}
    >
      <p class="back">
        <a href={back}>Back to the request</a>
      </p>
      <div class="narrow" data-live="request" data-state={`${back}/state`}>
        <h1>Review the change</h1>
        <p class="facts">
          <Text text={typeof tool === 'string' ? tool : request.prompt} />
          <Deadline expiresAt={request.expiresAt} now={frame.now} />
        </p>
        <h2>What changes</h2>
        <Diff before={inputOf(request)} after={input} />
        <h2>Exactly what runs</h2>
        <ExactJson value={input} label="Exact arguments" />
        <div id="state" role="status"></div>
        <div class="first-choice">
          <DecisionForm frame={frame} to={back} action="approve">
            <SeenDigest request={request} />
            <input type="hidden" name={FIELDS.input} value={text} />
            <button class="primary" type="submit">
              Approve with this change
            </button>
          </DecisionForm>
          <form method="post" action={`${back}/edit`}>
            <Token frame={frame} />
            <input type="hidden" name={FIELDS.input} value={text} />
            <input type="hidden" name="again" value="yes" />
            <button type="submit">Edit again</button>
          </form>
        </div>
      </div>
    </Page>
  );
}
