/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { visibleJson } from '../agent/visible-text';

interface SchemaProps {
  readonly schema: object;
  /** Default: that of a question's form. */
  readonly title?: string;
  readonly label?: string;
}

/** What an answer is checked by, to be looked up by whoever writes it as JSON. */
export function FormSchema({
  schema,
  title = 'What the form takes',
  label = "The form's JSON Schema",
}: SchemaProps) {
  return (
    <details class="more">
      <summary>{title}</summary>
      <pre class="exact" tabindex={0} role="region" aria-label={label}>
        <code>{visibleJson(schema, 2)}</code>
      </pre>
    </details>
  );
}

/** The same for the result of one call, where that is checked. */
export function ResultSchema({
  schema,
  name,
}: {
  readonly schema: object | undefined;
  readonly name: string;
}) {
  if (!schema) return null;
  return (
    <FormSchema
      schema={schema}
      title="What the result is to be, as JSON"
      label={`JSON Schema of the result of ${name}`}
    />
  );
}
