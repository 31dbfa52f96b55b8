import { MAX_REASON_LENGTH, type Answer } from '../agent/answer';
import { isRecord, parseJson, type JsonObject } from '../agent/json';
import { isTooDeep, MAX_NESTING } from '../http/json-depth';
import { relayAnswer, RELAY_KIND } from '../agent/relay';
import type { Request } from '../agent/request';
import { resultsIn } from '../page-parts/call-fields';
import { lineFeedsIn } from '../page-parts/line-feeds';
import { postedChoice } from '../page-parts/posted-choice';

/** What a form says, field by field. */
export type Fields = Readonly<Record<string, string>>;

export type Decision =
  { readonly is: 'answer'; readonly answer: Answer } | { readonly is: 'problem'; readonly problem: string };

/** Names of the fields, one place for the page and for what reads it. */
export const FIELDS = {
  action: 'action',
  reason: 'reason',
  output: 'output',
  isError: 'is-error',
  input: 'input',
  choice: 'choice',
  content: 'content',
  data: 'data',
  digest: 'digest',
  allCalls: 'all-calls',
} as const;

export const ACTIONS = ['approve', 'decline', 'result', 'rerun', 'reply'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * Reads what a person decided. Nothing is taken from a form but the decision: who decides comes from the session.
 */
export function readDecision(request: Request, fields: Fields): Decision {
  const { id } = request;
  switch (fields[FIELDS.action]) {
    case 'decline':
      return readDecline(id, fields);
    case 'approve':
      return readApproval(id, fields);
    case 'rerun':
      return answer({ id, ok: true, data: { rerun: true } });
    case 'result':
      return request.kind === RELAY_KIND ? readResults(id, fields) : readResult(id, fields);
    case 'reply':
      return readReply(request, fields);
    default:
      return problem('Choose what to do.');
  }
}

function readDecline(id: string, fields: Fields): Decision {
  const reason = textIn(fields, FIELDS.reason).trim();
  if (reason.length > MAX_REASON_LENGTH)
    return problem(`The reason has ${reason.length} characters; at most ${MAX_REASON_LENGTH} are taken.`);
  return answer({ id, ok: false, ...(reason !== '' && { reason }) });
}

function readApproval(id: string, fields: Fields): Decision {
  const text = fields[FIELDS.input];
  const seen = seenIn(fields);
  if (text === undefined) {
    const data = { ...seen, ...(fields[FIELDS.allCalls] === 'yes' && { allCalls: true }) };
    return answer({ id, ok: true, ...(Object.keys(data).length > 0 && { data }) });
  }
  const edited = readEdit(text);
  return edited.is === 'problem' ? edited : answer({ id, ok: true, data: { ...seen, input: edited.input } });
}

const TOO_DEEP = `Nothing was changed: this is nested deeper than ${MAX_NESTING} levels. Write it flatter, or keep it elsewhere and give a reference.`;

export type Edit =
  { readonly is: 'edit'; readonly input: JsonObject } | { readonly is: 'problem'; readonly problem: string };

/** Edited arguments, from their JSON text. */
export function readEdit(text: string): Edit {
  if (isTooDeep(text)) return problem(TOO_DEEP);
  const input = parseJson(text);
  if (input === undefined) return problem('These arguments are not JSON. Check quotes, commas and brackets.');
  return isRecord(input)
    ? { is: 'edit', input: input }
    : problem('Expected the arguments to be a JSON object, such as {"order": "1047"}.');
}

function readResult(id: string, fields: Fields): Decision {
  const output = textIn(fields, FIELDS.output);
  if (output === '') return problem('Write what the result is.');
  return answer({
    id,
    ok: true,
    data: { ...seenIn(fields), output, ...(fields[FIELDS.isError] === 'yes' && { isError: true }) },
  });
}

/** Results for some of the calls are taken, and the request stays open for the others (R23). */
function readResults(id: string, fields: Fields): Decision {
  const results = resultsIn(fields);
  if (results.length === 0) return problem('Write the result of a call.');
  return answer(relayAnswer(id, results));
}

/** A question is answered with a choice, with a form's content, or in words. */
function readReply({ id, data }: Request, fields: Fields): Decision {
  const json = textIn(fields, FIELDS.data).trim();
  const content = textIn(fields, FIELDS.content);
  if (isTooDeep(json) || isTooDeep(content)) return problem(TOO_DEEP);
  if (json !== '') {
    const value = parseJson(json);
    return isRecord(value)
      ? answer({ id, ok: true, data: value })
      : problem('Expected the JSON to be an object, such as {"output": "yes"}.');
  }
  if (isRecord(data?.['form']) && fields[FIELDS.content] !== undefined) {
    const filled = parseJson(content);
    return isRecord(filled)
      ? answer({ id, ok: true, data: { content: filled } })
      : problem('The form is not complete: its content is no JSON object.');
  }
  const chosen = fields[FIELDS.choice];
  const output =
    chosen === undefined ? textIn(fields, FIELDS.output) : postedChoice(data?.['choices'], chosen);
  return output === '' ? problem('Choose or write an answer.') : answer({ id, ok: true, data: { output } });
}

/** The digest of the arguments that the page showed. */
function seenIn(fields: Fields): JsonObject {
  const digest = fields[FIELDS.digest];
  return digest === undefined ? {} : { digest };
}

function textIn(fields: Fields, name: string): string {
  return lineFeedsIn(fields[name] ?? '');
}

function answer(value: Answer): Decision {
  return { is: 'answer', answer: value };
}

function problem(text: string): { readonly is: 'problem'; readonly problem: string } {
  return { is: 'problem', problem: text };
}
