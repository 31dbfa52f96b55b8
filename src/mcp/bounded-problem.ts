import type { Json, JsonSchema } from '../agent/json';
import { Meter } from '../agent/meter';
import { MAX_LOOKS, schemaFit } from '../agent/schema-fit';

/**
 * Where a value violates a schema, as far as a bounded check finds out: both come from elsewhere, and an expression of
 * the one could run on the other for days.
 */
export function boundedProblem(schema: JsonSchema, value: Json): string | undefined {
  const fit = schemaFit(schema, value, new Meter(MAX_LOOKS));
  return fit.is === 'violates' ? fit.problem : undefined;
}
