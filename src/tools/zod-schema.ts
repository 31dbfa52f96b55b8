import { z } from 'zod';
import { errorMessage } from '../agent/errors';
import type { Json, JsonSchema } from '../agent/json';
import type { Checked } from '../agent/tool';
import { printPath } from '../agent/problem-words';

/** Any schema of zod 4, of the full or the mini edition. */
export type ZodSchema = z.core.$ZodType;

export function isZodSchema(value: object): value is ZodSchema {
  return '_zod' in value;
}

/**
 * The schema as JSON Schema of what goes in, before defaults and transforms.
 *
 * @throws Error where the schema has no JSON form (a date, a map, a bigint).
 */
export function zodToJsonSchema(schema: ZodSchema): JsonSchema {
  const wire = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))) as Record<string, Json>;
  // The dialect's name would travel with every request and tells no provider anything.
  delete wire['$schema'];
  return wire;
}

/** A check by the schema itself, refinements and transforms included. */
export function zodCheck<S extends ZodSchema>(schema: S): (value: Json) => Checked<z.output<S>> {
  return (value) => {
    try {
      const parsed = z.core.safeParse(schema, value);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : { ok: false, problem: told(parsed.error.issues) };
    } catch (error) {
      if (error instanceof z.core.$ZodAsyncError)
        return {
          ok: false,
          problem: 'the schema has an asynchronous refinement, which is not supported here',
        };
      return { ok: false, problem: `the value could not be checked: ${errorMessage(error)}` };
    }
  };
}

const MAX_PROBLEMS = 5;

function told(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `${printPath(issue.path)}: ${issue.message}`)
    .join('; ');
}
