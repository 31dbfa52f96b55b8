/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { MAX_REASON_LENGTH } from '../agent/answer';
import { isRecord } from '../agent/json';
import { RELAY_KIND, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import { visibleJson } from '../agent/visible-text';
import { Text } from '../page-parts/text';

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
        <Area
          name="reason"
          label="Reason"
          note="The agent reads it. It may be left out."
          given={given}
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
        <Area
          name="output"
          label="Result"
          note="Look it up where it happened, and say what the result was."
          given={given}
        />
      );
    default:
      if (asks === 'choice' && Array.isArray(choices))
        return <Choices choices={choices.map(String)} chosen={given['output']} />;
      if (asks === 'form')
        return (
          <>
            <Area
              name="content"
              label="Answer, as JSON"
              note="One JSON object that fits the form below."
              given={{ content: '{}', ...given }}
            />
            {isRecord(form) ? <FormSchema schema={form} /> : null}
          </>
        );
      return <Area name="output" label="Answer" given={given} />;
  }
}

/** Calls may be settled since the page was made: the id tells which field belongs to which. */
function Results({ calls, given }: Omit<YesProps, 'request'>) {
  return (
    <>
      {calls.map(({ id, name }, at) => (
        <>
          <input type="hidden" name={`call-${at}`} value={id} />
          <Area
            name={`output-${at}`}
            label={
              <>
                Result of {calls.length === 1 ? '' : `${at + 1}. `}
                <Text text={name} />
              </>
            }
            given={given}
          />
        </>
      ))}
      {calls.length > 1 ? <p class="note">What you leave empty stays open for somebody else.</p> : null}
    </>
  );
}

function FormSchema({ schema }: { readonly schema: object }) {
  return (
    <details class="more">
      <summary>What the form takes</summary>
      <pre class="exact" tabindex={0} role="region" aria-label="The form's JSON Schema">
        <code>{visibleJson(schema, 2)}</code>
      </pre>
    </details>
  );
}

interface AreaProps {
  readonly name: string;
  readonly label: Child;
  readonly note?: string;
  readonly given: Given;
  readonly maxLength?: number;
}

function Area({ name, label, note, given, maxLength }: AreaProps) {
  const noteId = note === undefined ? undefined : `${name}-note`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {note === undefined ? null : (
        <span class="note" id={noteId}>
          {note}
        </span>
      )}
      <textarea id={name} name={name} rows={3} dir="auto" maxlength={maxLength} aria-describedby={noteId}>
        {given[name] ?? ''}
      </textarea>
    </div>
  );
}

/** A value is sent as it is; only what is read shows hidden characters. */
function Choices({
  choices,
  chosen,
}: {
  readonly choices: readonly string[];
  readonly chosen: string | undefined;
}) {
  return (
    <fieldset class="choices">
      <legend>Answer</legend>
      {choices.map((choice, at) => (
        <div>
          <input
            type="radio"
            id={`choice-${at}`}
            name="output"
            value={choice}
            checked={choice === chosen}
            required
          />
          <label for={`choice-${at}`}>
            <Text text={choice} />
          </label>
        </div>
      ))}
    </fieldset>
  );
}
