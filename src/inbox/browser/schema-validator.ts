import { Validator, type Schema } from '@cfworker/json-schema';
import { toErrorSchema, type RJSFSchema, type RJSFValidationError, type ValidatorType } from '@rjsf/utils';

/**
 * Checks by interpreting the schema: the usual validator of this form makes code from schemas, which the page's policy
 * forbids. What it finds is advice; the server and the run check again.
 */
export const schemaValidator: ValidatorType = {
  isValid: (schema, formData, rootSchema) => findings(within(schema, rootSchema), formData).length === 0,
  rawValidation: () => ({ errors: [] }),
  validateFormData(formData, schema) {
    const errors = findings(schema, formData);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};

/** References lead into the whole schema. */
function within(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  return {
    ...(root.$defs && { $defs: root.$defs }),
    ...(root.definitions && { definitions: root.definitions }),
    ...schema,
  };
}

function findings(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value ?? null);
    return errors
      .filter(
        ({ keyword }) => !['properties', 'items', 'prefixItems', 'additionalProperties'].includes(keyword),
      )
      .map(({ instanceLocation, keyword, error }) => ({
        name: keyword,
        property: instanceLocation.replace(/^#/, '').replaceAll('/', '.'),
        message: error,
        stack: error,
      }));
  } catch {
    // A reference that leads nowhere: the run says what it makes of it.
    return [];
  }
}
