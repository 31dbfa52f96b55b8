/** Why {@link tryDefine} refused a definition. `describeDefineError` says it in a sentence. */
export type DefineError =
  | { readonly kind: 'EmptyName' }
  | {
      readonly kind: 'NameTooLong';
      readonly name: string;
      /** The most characters that a name may have. */
      readonly max: number;
      /** The characters that this one has, counted as a reader counts them. */
      readonly actual: number;
    }
  | {
      readonly kind: 'InvalidNameCharacter';
      readonly name: string;
      /** The first character that is not allowed, whole: an emoji of several code points is one. */
      readonly character: string;
    }
  | MissingSchema<'MissingInputSchema'>
  | SchemaNotObject<'InputSchemaNotObject'>
  | MissingSchema<'MissingOutputSchema'>
  | SchemaNotObject<'OutputSchemaNotObject'>;

/** The schema has no JSON form, or values cannot be brought into it. `reason` is a sentence. */
export interface MissingSchema<Kind> {
  readonly kind: Kind;
  readonly name: string;
  readonly reason: string;
}

/** `found` is what the schema describes instead, such as `string` or `union`. */
export interface SchemaNotObject<Kind> {
  readonly kind: Kind;
  readonly name: string;
  readonly found: string;
}

/** One line that says what was refused and what to do. */
export function describeDefineError(error: DefineError): string {
  switch (error.kind) {
    case 'EmptyName':
      return 'The name of a tool is empty. Give it one.';
    case 'NameTooLong':
      return `The name of tool ${error.name} has ${error.actual} characters, ${error.max} are allowed. Shorten it.`;
    case 'InvalidNameCharacter':
      return (
        `The name of tool ${error.name} holds ${JSON.stringify(error.character)}. ` +
        'Use letters from a to z, digits, ".", "_", "/" and "-".'
      );
    case 'MissingInputSchema':
      return `The input of tool ${error.name} has no JSON Schema: ${error.reason}`;
    case 'MissingOutputSchema':
      return `The output of tool ${error.name} has no JSON Schema: ${error.reason}`;
    case 'InputSchemaNotObject':
      return (
        `The input of tool ${error.name} is described as ${error.found}. ` +
        'Arguments of a tool are an object: put the value under a name.'
      );
    case 'OutputSchemaNotObject':
      return `The output schema of tool ${error.name} is ${error.found}, not a JSON object.`;
  }
}
