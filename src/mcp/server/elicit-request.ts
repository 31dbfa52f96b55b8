import type { Answer } from '../../agent/answer';
import { isRecord, type Json, type JsonObject } from '../../agent/json';
import { INPUT_KIND, QUESTION_KIND } from '../../agent/question';
import type { Request } from '../../agent/request';
import { visible, visibleJson } from '../../agent/visible-text';
import type { InputRequest } from '../input-request';

/** What a person at the client is asked about an open request of a run; undefined where it cannot be asked there. */
export function toElicitation({ kind, prompt, url, data = {}, policy }: Request): InputRequest | undefined {
  // Who may answer is told by a credential, and several must: the client knows neither.
  if (policy?.approvers || (policy?.quorum ?? 1) > 1) return undefined;
  if (kind === 'approval') {
    const what = data['input'] === undefined ? '' : `\n\n${visibleJson(data['input'], 2)}`;
    return form(`${prompt}${what}`, {
      type: 'object',
      properties: {
        decision: { type: 'string', enum: ['approve', 'decline'] },
        reason: { type: 'string', description: 'Told to the agent when you decline' },
      },
      required: ['decision'],
    });
  }
  if (kind === 'authorization')
    return url === undefined
      ? undefined
      : { method: 'elicitation', params: { mode: 'url', message: visible(prompt), url } };
  if (kind !== QUESTION_KIND && kind !== INPUT_KIND) return undefined;
  const { asks, choices } = data;
  if (asks === 'form') return isFlat(data['form']) ? form(prompt, data['form']) : undefined;
  const answer = { type: 'string', ...(Array.isArray(choices) && { enum: choices as Json[] }) };
  return form(prompt, { type: 'object', properties: { answer }, required: ['answer'] });
}

/** What was said about it as an answer; undefined when the person put it off. */
export function toAnswer({ id, kind, data = {} }: Request, response: Json): Answer | undefined {
  const { action, content } = isRecord(response) ? response : {};
  if (action === 'decline') return { id, ok: false, reason: 'declined' };
  if (action !== 'accept') return undefined;
  const said = isRecord(content) ? content : {};
  if (kind === 'authorization') return { id, ok: true };
  if (kind === 'approval') {
    const { decision, reason } = said;
    if (decision !== 'approve')
      return { id, ok: false, reason: typeof reason === 'string' && reason !== '' ? reason : 'declined' };
    const { digest } = data;
    return { id, ok: true, ...(typeof digest === 'string' && { data: { digest } }) };
  }
  if (data['asks'] === 'form') return { id, ok: true, data: { content: said } };
  return { id, ok: true, data: { output: said['answer'] } };
}

/** No character that is not seen may hide what is agreed to: clients show messages as they come. */
function form(message: string, requestedSchema: JsonObject): InputRequest {
  return { method: 'elicitation', params: { mode: 'form', message: visible(message), requestedSchema } };
}

const PRIMITIVE: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** Clients show forms of simple fields only. */
function isFlat(schema: unknown): schema is JsonObject {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return false;
  return Object.values(schema['properties']).every(
    (field) => isRecord(field) && PRIMITIVE.includes(field['type']),
  );
}
