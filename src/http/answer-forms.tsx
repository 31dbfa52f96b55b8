/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MAX_REASON_LENGTH } from '../agent/answer';
import { isRecord } from '../agent/json';
import { RELAY_KIND, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import { callFields, givenOf } from '../page-parts/call-fields';
import { Choices } from '../page-parts/choices';
import { FormSchema, ResultSchema } from '../page-parts/form-schema';
import { ResultLabel } from '../page-parts/result-label';
import { TextField } from '../page-parts/text-field';

/** What was in a form that had a problem. */
export type Given = Readonly<Record<string, string>>;

interface YesProps {
  readonly request: Request;
  readonly calls: readonly RelayCall[];
  readonly given: Given;
}

/** A yes with what it must or may bring along. Posted to the link itself. */
export function YesForm(props: YesProps) {
  return (
    <form method="post" class="decision">
      <Fields {...props} />
      <button class="primary" type="submit" name="decision" value="approve">
        {yesOf(props.request.kind)}
      </button>
    </form>
  );
}

export function DeclineForm({ kind, given }: { readonly kind: string; readonly given: Given }) {
  const words = kind === 'reconcile' ? 'Leave it unknown' : 'Decline';
  return (
    <details class="more" open={given['decision'] === 'decline'}>
      <summary>{words}</summary>
      <form method="post" class="decision">
        <TextField
          name="reason"
          label="Reason"
          note="The agent reads it. It may be left out."
          value={given['reason']}
          maxLength={MAX_REASON_LENGTH}
        />
        <button class="danger" type="submit" name="decision" value="decline">
          {words}
        </button>
      </form>
    </details>
  );
}

function yesOf(kind: string): string {
  switch (kind) {
    case 'approval':
      return 'Approve';
    case 'authorization':
      return 'It is done';
    case RELAY_KIND:
    case 'reconcile':
      return 'Give this result';
    default:
      return 'Send this answer';
  }
}

function Fields({ request, calls, given }: YesProps) {
  const { kind, data = {} } = request;
  const { digest, asks, choices, form } = data;
  switch (kind) {
    case 'approval':
      // The run refuses an approval of anything but what this page shows.
      return typeof digest === 'string' ? <input type="hidden" name="digest" value={digest} /> : null;
    case 'authorization':
      return null;
    case RELAY_KIND:
      return <Results calls={calls} given={given} />;
    case 'reconcile':
      return (
        <TextField
          name="output"
          label="Result"
          note="Look it up where it happened, and say what the result was."
          value={given['output']}
        />
      );
    default:
      if (asks === 'choice' && Array.isArray(choices))
        return <Choices name="output" choices={choices.map(String)} chosen={given['output']} />;
      if (asks === 'form')
        return (
          <>
            <TextField
              name="content"
              label="Answer, as JSON"
              note="One JSON object that fits the form below."
              value={given['content'] ?? '{}'}
            />
            {isRecord(form) ? <FormSchema schema={form} /> : null}
          </>
        );
      return <TextField name="output" label="Answer" value={given['output']} />;
  }
}

/** Calls may be settled since the page was made: the id tells which field belongs to which. */
function Results({ calls, given }: Omit<YesProps, 'request'>) {
  return (
    <>
      {calls.map((call, at) => {
        const names = callFields(at);
        return (
          <>
            <input type="hidden" name={names.call} value={call.id} />
            <TextField
              name={names.output}
              label={<ResultLabel calls={calls} at={at} />}
              value={givenOf(call, given)?.output}
            />
            <ResultSchema schema={call.outputSchema} name={call.name} />
          </>
        );
      })}
      {calls.length > 1 ? <p class="note">What you leave empty stays open for somebody else.</p> : null}
    </>
  );
}
