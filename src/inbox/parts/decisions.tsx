/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MAX_REASON_LENGTH } from '../../agent/answer';
import { isRecord } from '../../agent/json';
import { quorumOf } from '../../agent/policy';
import { INPUT_KIND, QUESTION_KIND } from '../../agent/question';
import { RELAY_KIND, type RelayCall } from '../../agent/relay';
import type { Request } from '../../agent/request';
import type { Frame } from '../frame';
import { FIELDS, type Fields } from '../read-decision';
import { DecisionForm, ErrorMark, SeenDigest } from './field';
import { callFields, givenOf } from '../../page-parts/call-fields';
import { Choices } from '../../page-parts/choices';
import { FormSchema, ResultSchema } from '../../page-parts/form-schema';
import { ResultLabel } from '../../page-parts/result-label';
import { isCallApproval } from '../../page-parts/subject';
import { Text } from '../../page-parts/text';
import { TextField } from '../../page-parts/text-field';
import { Moment } from '../../page-parts/when';

export interface DecisionsProps {
  readonly frame: Frame;
  readonly request: Request;
  readonly calls: readonly RelayCall[];
  /** Where a decision is posted to. */
  readonly to: string;
  /** What was in the form that had a problem. */
  readonly given: Fields;
}

/** What may be decided, by the kind of the request. */
export function Decisions(props: DecisionsProps) {
  switch (props.request.kind) {
    case 'approval':
      return <ApprovalDecisions {...props} />;
    case RELAY_KIND:
      return <RelayDecisions {...props} />;
    case 'authorization':
      return (
        <>
          <DecisionForm frame={props.frame} to={props.to} action="approve">
            <button class="primary" type="submit">
              It is done
            </button>
          </DecisionForm>
          <Decline {...props} />
        </>
      );
    case 'reconcile':
      return <ReconcileDecisions {...props} />;
    default:
      return (
        <>
          <Reply {...props} />
          <Decline {...props} />
        </>
      );
  }
}

function ApprovalDecisions(props: DecisionsProps) {
  const { frame, request, to, given } = props;
  const { policy } = request;
  const own = policy?.votes?.find(({ by }) => by === frame.identity?.subject);
  if (own)
    return (
      <>
        <p>
          You approved this on <Moment at={own.at} />. More people must agree.
        </p>
        <Decline {...props} />
      </>
    );
  // More than one person cannot agree to a result, nor to what has not been asked yet.
  const alone = quorumOf(policy) === 1;
  return (
    <>
      <div class="first-choice">
        <DecisionForm frame={frame} to={to} action="approve">
          <SeenDigest request={request} />
          <button class="primary" type="submit">
            Approve
          </button>
        </DecisionForm>
        {isCallApproval(request) ? (
          <a class="button" href={`${to}/edit`} data-decides="yes">
            Edit the arguments
          </a>
        ) : null}
      </div>
      <Decline {...props} />
      {alone && isCallApproval(request) ? (
        <>
          <details class="more" open={given[FIELDS.action] === 'result'}>
            <summary>Give the result yourself</summary>
            <Result {...props} note="The tool does not run; the agent reads this in place of its result." />
          </details>
          <AllCalls {...props} />
        </>
      ) : null}
    </>
  );
}

function AllCalls({ frame, request, to }: DecisionsProps) {
  const { tool } = request.data ?? {};
  if (typeof tool !== 'string') return null;
  return (
    <details class="more">
      <summary>Approve all calls of this tool</summary>
      <DecisionForm frame={frame} to={to} action="approve">
        <SeenDigest request={request} />
        <input type="hidden" name={FIELDS.allCalls} value="yes" />
        <p class="note">
          This call runs, and so does every later call of <Text text={tool} /> in this run, whatever its
          arguments are, without anybody being asked. It is on the record in your name.
        </p>
        <button class="danger" type="submit">
          Approve all of them
        </button>
      </DecisionForm>
    </details>
  );
}

function RelayDecisions(props: DecisionsProps) {
  const { frame, to, calls, given } = props;
  return (
    <>
      <DecisionForm frame={frame} to={to} action="result">
        {calls.map((call, at) => {
          const names = callFields(at);
          const own = givenOf(call, given);
          return (
            <>
              <input type="hidden" name={names.call} value={call.id} />
              <TextField
                name={names.output}
                label={<ResultLabel calls={calls} at={at} />}
                value={own?.output}
              />
              <ResultSchema schema={call.outputSchema} name={call.name} />
              <ErrorMark id={names.isError} name={names.isError} checked={own?.isError === true} />
            </>
          );
        })}
        {calls.length > 1 ? <p class="note">What you leave empty stays open for somebody else.</p> : null}
        <button class="primary" type="submit">
          {calls.length > 1 ? 'Give these results' : 'Give this result'}
        </button>
      </DecisionForm>
      <Decline {...props} />
    </>
  );
}

function ReconcileDecisions(props: DecisionsProps) {
  const { frame, to } = props;
  return (
    <>
      <Result {...props} note="Look it up where it happened, and say what the result was." />
      <details class="more">
        <summary>It did not happen</summary>
        <DecisionForm frame={frame} to={to} action="rerun">
          <p class="note">
            The call runs again, with the same arguments. If it did happen, it then happens twice.
          </p>
          <button class="danger" type="submit">
            Run it again
          </button>
        </DecisionForm>
      </details>
      <details class="more">
        <summary>Nobody knows</summary>
        <DecisionForm frame={frame} to={to} action="decline">
          <p class="note">The agent is told that the outcome is unknown, and goes on.</p>
          <button type="submit">Leave it unknown</button>
        </DecisionForm>
      </details>
    </>
  );
}

function Result({ frame, request, to, given, note }: DecisionsProps & { readonly note: string }) {
  return (
    <DecisionForm frame={frame} to={to} action="result">
      <SeenDigest request={request} />
      <TextField name={FIELDS.output} label="Result" note={note} value={given[FIELDS.output]} />
      <ErrorMark id={FIELDS.isError} name={FIELDS.isError} checked={given[FIELDS.isError] === 'yes'} />
      <button type="submit">Give this result</button>
    </DecisionForm>
  );
}

function Decline({ frame, to, given }: DecisionsProps) {
  return (
    <details class="more" open={given[FIELDS.action] === 'decline'}>
      <summary>Decline</summary>
      <DecisionForm frame={frame} to={to} action="decline">
        <TextField
          name={FIELDS.reason}
          label="Reason"
          note="The agent reads it. It may be left out."
          value={given[FIELDS.reason]}
          maxLength={MAX_REASON_LENGTH}
        />
        <button class="danger" type="submit">
          Decline
        </button>
      </DecisionForm>
    </details>
  );
}

function Reply(props: DecisionsProps) {
  const { frame, to, given, request } = props;
  const { choices, form } = request.data ?? {};
  return (
    <>
      <DecisionForm frame={frame} to={to} action="reply">
        {isTexts(choices) ? (
          <Choices name={FIELDS.choice} choices={choices} chosen={given[FIELDS.choice]} />
        ) : isRecord(form) ? (
          <>
            <div data-form-for={FIELDS.content} data-schema={JSON.stringify(form)}></div>
            <TextField
              name={FIELDS.content}
              label="Answer, as JSON"
              value={given[FIELDS.content] ?? '{}'}
              rows={6}
              mono
            />
            <FormSchema schema={form} />
          </>
        ) : (
          <TextField name={FIELDS.output} label="Answer" value={given[FIELDS.output]} />
        )}
        <button class="primary" type="submit">
          Send this answer
        </button>
      </DecisionForm>
      {isPlain(request) ? null : <OtherReplies {...props} />}
    </>
  );
}

/** Whether the field or the form above takes all that can be answered. */
function isPlain({ kind, data }: Request): boolean {
  return kind === QUESTION_KIND || (kind === INPUT_KIND && data?.['asks'] !== undefined);
}

/** A kind that a tool made up may want anything. */
function OtherReplies({ frame, to, given }: DecisionsProps) {
  return (
    <>
      <details class="more" open={(given[FIELDS.data] ?? '') !== ''}>
        <summary>Answer with JSON</summary>
        <DecisionForm frame={frame} to={to} action="reply">
          <TextField
            name={FIELDS.data}
            label="Data of the answer, as a JSON object"
            value={given[FIELDS.data]}
            rows={6}
            mono
          />
          <button type="submit">Send this data</button>
        </DecisionForm>
      </details>
      <details class="more">
        <summary>Say yes, with nothing more</summary>
        <DecisionForm frame={frame} to={to} action="approve">
          <button type="submit">Yes</button>
        </DecisionForm>
      </details>
    </>
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string');
}
