/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

interface TextFieldProps {
  /** Of the field that is posted, and the id of its element. */
  readonly name: string;
  readonly label: Child;
  readonly note?: string;
  readonly value?: string | undefined;
  readonly rows?: number;
  /** For JSON and the like. */
  readonly mono?: boolean;
  readonly maxLength?: number;
}

/** A text of several lines, with its label and what to know about it. */
export function TextField({ name, label, note, value = '', rows = 3, mono, maxLength }: TextFieldProps) {
  const noteId = note === undefined ? undefined : `${name}-note`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {note === undefined ? null : (
        <span class="note" id={noteId}>
          {note}
        </span>
      )}
      <textarea
        id={name}
        name={name}
        rows={rows}
        class={mono ? 'mono' : undefined}
        dir={mono ? 'ltr' : 'auto'}
        spellcheck={mono ? false : undefined}
        maxlength={maxLength}
        aria-describedby={noteId}
      >
        {
          // Browsers leave out a line break right after the tag.
          /^[\r\n]/.test(value) ? `\n${value}` : value
        }
      </textarea>
    </div>
  );
}
