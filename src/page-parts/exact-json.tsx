/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Json } from '../agent/json';
import { visibleJson } from '../agent/visible-text';

interface ExactJsonProps {
  readonly value: Json;
  readonly label: string;
}

/** The whole value as JSON text, character by character what is meant: nothing hidden, nothing cut. */
export function ExactJson({ value, label }: ExactJsonProps) {
  return (
    <pre class="exact" dir="ltr" tabindex={0} role="region" aria-label={label}>
      <code>{visibleJson(value, 2)}</code>
    </pre>
  );
}
