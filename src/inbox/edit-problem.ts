import { isRecord, type JsonObject } from '../agent/json';
import { Meter } from '../agent/meter';
import type { Request } from '../agent/request';
import { MAX_LOOKS, schemaFit } from '../agent/schema-fit';

/** Why edited arguments do not fit the tool's schema, as the run will say; `undefined` where nothing is wrong so far. */
export function editProblem({ data }: Request, input: JsonObject): string | undefined {
  const schema = data?.['schema'];
  if (!isRecord(schema)) return undefined;
  const fit = schemaFit(schema, input, new Meter(MAX_LOOKS));
  return fit.is === 'violates' ? `These arguments do not fit the tool: ${fit.problem}.` : undefined;
}
