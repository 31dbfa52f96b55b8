import { typeName, type Answer } from './answer';
import { isRecord, type JsonObject } from './json';
import type { Meter } from './meter';
import { invalid, malformed } from './refusal';
import type { Request } from './request';
import { schemaFit } from './schema-fit';

/** Kind of a request by which an agent asks a person something. */
export const QUESTION_KIND = 'question';
/** Kind of a request by which a tool asks a person to fill a form. */
export const INPUT_KIND = 'input';

/**
 * What a question takes: a text, one of its choices, or an object of its form. It stands in `data.asks`, beside
 * `data.choices` (texts) or `data.form` (a JSON Schema of an object). A tool of your own that asks the same way has its
 * answers checked the same way.
 */
export type QuestionAsks = 'text' | 'choice' | 'form';

/** Refuses an answer to a question that does not answer it: the person is still there to correct it. */
export function refuseNoAnswer(answer: Answer, { kind, data }: Request, meter: Meter): void {
  if ((kind !== QUESTION_KIND && kind !== INPUT_KIND) || !data) return;
  const { asks, choices, form } = data;
  if (asks === 'text') textIn(answer);
  if (asks === 'choice' && Array.isArray(choices) && !choices.includes(textIn(answer)))
    throw invalid(answer, `\`data.output\` is none of the question's ${choices.length} choices.`);
  if (asks === 'form' && isRecord(form)) refuseUnfit(answer, form, meter);
}

function textIn(answer: Answer): string {
  const output = answer.data?.['output'];
  if (typeof output === 'string') return output;
  throw malformed(answer, `Expected \`data.output\` to be the answer as a string, got ${typeName(output)}.`);
}

/** What the run cannot check here is for the model to read: it asked. */
function refuseUnfit(answer: Answer, form: JsonObject, meter: Meter): void {
  const content = answer.data?.['content'];
  if (!isRecord(content))
    throw malformed(
      answer,
      `Expected \`data.content\` to be the filled form, an object, got ${typeName(content)}.`,
    );
  const fit = schemaFit(form, content, meter);
  if (fit.is === 'violates')
    throw invalid(answer, `\`data.content\` does not fit the question's form: ${fit.problem}.`);
}
