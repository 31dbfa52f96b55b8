/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { visibleJson } from '../agent/visible-text';

/** What a question's form takes, to be looked up by whoever fills it in as JSON. */
export function FormSchema({ schema }: { readonly schema: object }) {
  return (
    <details class="more">
      <summary>What the form takes</summary>
      <pre class="exact" tabindex={0} role="region" aria-label="The form's JSON Schema">
        <code>{visibleJson(schema, 2)}</code>
      </pre>
    </details>
  );
}
