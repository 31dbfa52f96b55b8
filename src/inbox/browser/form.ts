/** Puts a form in front of each field that takes JSON, made from the schema that the page carries. */
import { createRoot } from 'react-dom/client';
import { createElement } from 'react';
import { visibleJson } from '../../agent/visible-text';
import { SchemaForm } from './schema-form';

for (const place of document.querySelectorAll<HTMLElement>('[data-form-for]')) {
  const field = document.getElementById(place.dataset['formFor'] ?? '');
  const schema = parsed(place.dataset['schema'] ?? '');
  if (field instanceof HTMLTextAreaElement && isSchema(schema)) mount(place, field, schema);
}

function mount(place: HTMLElement, field: HTMLTextAreaElement, schema: object): void {
  const root = createRoot(place);
  // Defaults that a schema names are not what the reader chose: only what is done by hand counts.
  let touched = false;
  for (const event of ['input', 'change', 'click', 'keydown'])
    place.addEventListener(event, () => (touched = true), { capture: true });
  const show = (): void => {
    const value = parsed(field.value);
    if (!isSchema(value)) return;
    root.render(
      createElement(SchemaForm, {
        schema,
        value,
        onChange: (next: unknown) => {
          if (touched) field.value = visibleJson(next, 2);
        },
        onFailure: () => place.remove(),
      }),
    );
  };
  show();
  // While typing, and not when the field is left: nothing may move under a click on the button.
  field.addEventListener('input', show);
  foldAway(field);
}

/** The JSON stays at hand below the form. */
function foldAway(field: HTMLTextAreaElement): void {
  const whole = field.closest('.field');
  if (!whole) return;
  const details = document.createElement('details');
  details.className = 'more';
  // What is no JSON yet can only be mended there.
  details.open = !isSchema(parsed(field.value));
  const summary = document.createElement('summary');
  summary.textContent = 'Edit as JSON';
  whole.replaceWith(details);
  details.append(summary, whole);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
