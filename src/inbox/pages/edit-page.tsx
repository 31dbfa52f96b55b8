/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isRecord, type JsonObject } from '../../agent/json';
import type { Request } from '../../agent/request';
import { visibleJson } from '../../agent/visible-text';
import { formSchema } from '../form-schema';
import type { Frame } from '../frame';
import { TextField } from '../../page-parts/text-field';
import { Text } from '../../page-parts/text';
import { FIELDS } from '../read-decision';
import { Page, Token } from './page';

export interface EditPageProps {
  readonly frame: Frame;
  readonly runId: string;
  readonly request: Request;
  /** JSON text of the arguments, as they are or as they were left. */
  readonly input: string;
  readonly problem?: string;
}

/** Arguments to edit, as a form where the page's script runs and as JSON always. What runs is shown before it does. */
export function EditPage({ frame, runId, request, input, problem }: EditPageProps) {
  const back = frame.paths.request(runId, request.id);
  const tool = request.data?.['tool'];
  const title = `Edit the arguments of ${typeof tool === 'string' ? tool : 'this call'}`;
  return (
    <Page frame={frame} title={`${title} \u00b7 ${runId}`} scripts={[frame.assets.live, frame.assets.form]}>
      <p class="back">
        <a href={back}>Back to the request</a>
      </p>
      <div class="narrow" data-live="request" data-state={`${back}/state`}>
        <h1>
          <Text text={title} />
        </h1>
        <div id="state" role="status"></div>
        {problem === undefined ? null : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <form method="post" action={`${back}/edit`} class="decision edit" data-decides="yes">
          <Token frame={frame} />
          <div data-form-for={FIELDS.input} data-schema={JSON.stringify(schemaOf(request))}></div>
          <TextField
            name={FIELDS.input}
            label="Arguments, as JSON"
            value={input}
            rows={Math.min(24, Math.max(8, input.split('\n').length + 1))}
            mono
          />
          <button class="primary" type="submit">
            Review the change
          </button>
        </form>
      </div>
    </Page>
  );
}

export function editableText(request: Request): string {
  return visibleJson(inputOf(request), 2);
}

export function inputOf({ data }: Request): JsonObject {
  const input = data?.['input'];
  return isRecord(input) ? input : {};
}

function schemaOf(request: Request): JsonObject {
  const schema = request.data?.['schema'];
  return formSchema(isRecord(schema) ? schema : undefined, inputOf(request));
}
