import { Validator } from '@cfworker/json-schema';
import { boundedSchema } from './bounded-schema';
import { jsonSize, parseJson, type Json, type JsonSchema } from './json';
import { jsonProblem } from './json-problem';
import { draftOf } from './json-schema';
import { metered, type Meter } from './meter';

/**
 * What a check at acceptance came to. `unsure`: it violates nothing that was checked, but not all was; the worker
 * checks the rest.
 */
export type Fit =
  { readonly is: 'fits' } | { readonly is: 'unsure' } | { readonly is: 'violates'; readonly problem: string };

const UNSURE: Fit = { is: 'unsure' };

/** Larger values and schemas are the worker's. */
const MAX_CHECKED_BYTES = 64 * 1024;

/** Looks that one answer's checks may take: well under a second, where the engine allows five for a step. */
export const MAX_LOOKS = 250_000;

/**
 * Checks a value from outside where a step's time is limited and its outcome must be the same under replay: in
 * the workflow (R24). No value ends, delays or confuses it: regular expressions are left out, and a meter ends
 * what goes on for too long. A problem names paths and holds no value (R11).
 */
export function schemaFit(schema: JsonSchema, value: Json, meter: Meter): Fit {
  try {
    if (jsonSize(value) > MAX_CHECKED_BYTES || jsonSize(schema) > MAX_CHECKED_BYTES) return UNSURE;
    const { schema: bounded, isWhole } = boundedSchema(schema);
    // Stops at the first problem: the workflow has no time for a list of them.
    const view = metered(bounded, meter, 1 + longestText(value) / 64);
    const validator = new Validator(view, draftOf(schema), true);
    const { valid, errors } = validator.validate(viewOf(value, meter));
    if (!valid) return { is: 'violates', problem: jsonProblem(errors) };
    return isWhole ? { is: 'fits' } : UNSURE;
  } catch {
    // The meter, a remote `$ref`, a key that is no text: what the worker makes of it counts.
    return UNSURE;
  }
}

/** An output is text: it fits when what it says as JSON does, or the text itself does. */
export function outputFit(schema: JsonSchema, output: string, meter: Meter): Fit {
  if (output.length > MAX_CHECKED_BYTES) return UNSURE;
  const value = parseJson(output);
  const fit = schemaFit(schema, value ?? output, meter);
  if (fit.is !== 'violates' || value === undefined || typeof value === 'string') return fit;
  const asText = schemaFit(schema, output, meter);
  return asText.is === 'violates' ? fit : asText;
}

/** A keyword may have the validator read a whole text, each time that it comes to it. */
function longestText(value: Json | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((longest, part) => Math.max(longest, longestText(part)), 0);
}

function viewOf(value: Json, meter: Meter): Json {
  return typeof value === 'object' && value !== null ? metered(value, meter) : value;
}
