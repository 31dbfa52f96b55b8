import { Validator, type Schema } from '@cfworker/json-schema';
import { ErrorSchemaBuilder, type RJSFSchema, type ValidatorType } from '@rjsf/utils';
import { problemsIn } from '../../agent/json-problem';
import type { Problem } from '../../agent/problem-words';

/**
 * Checks by interpreting the schema: the usual validator of this form makes code from schemas, which the page's policy
 * forbids. What it finds is advice; the server and the run check again.
 */
export const schemaValidator: ValidatorType = {
  isValid: (schema, formData, rootSchema) => findings(within(schema, rootSchema), formData).length === 0,
  rawValidation: () => ({ errors: [] }),
  validateFormData(formData, schema) {
    const found = findings(schema, formData);
    const builder = new ErrorSchemaBuilder();
    // By its steps, and not by a text of them: a name may hold dots and brackets.
    for (const { path, words } of found) builder.addErrors(sentence(words), [...path]);
    const errors = found.map(({ path, words }) => ({
      property: `.${path.join('.')}`,
      stack: sentence(words),
    }));
    return { errors, errorSchema: builder.ErrorSchema };
  },
};

/** It stands below the field that it is about. */
function sentence(words: string): string {
  return `This ${words}.`;
}

/** References lead into the whole schema. */
function within(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  return {
    ...(root.$defs && { $defs: root.$defs }),
    ...(root.definitions && { definitions: root.definitions }),
    ...schema,
  };
}

function findings(schema: RJSFSchema, value: unknown): Problem[] {
  try {
    return problemsIn(new Validator(schema as Schema, '2020-12', false).validate(value ?? null).errors);
  } catch {
    // A reference that leads nowhere: the run says what it makes of it.
    return [];
  }
}
