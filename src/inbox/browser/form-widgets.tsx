import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { visible } from '../../agent/visible-text';

const SHORT = 70;

/**
 * Any text, on as many lines as it has. The usual fields drop line breaks, or shift times by the reader's zone, and
 * what was not edited must stay as it is.
 */
function PlainText({ id, value, required, disabled, readonly, onChange }: WidgetProps): ReactNode {
  const text = typeof value === 'string' ? value : '';
  const shared = {
    id,
    value: text,
    required: required && text === '',
    disabled,
    readOnly: readonly,
    dir: 'auto',
    'aria-describedby': `${id}__description ${id}__hidden`,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  const shown = visible(text);
  return (
    <>
      {text.length > SHORT || text.includes('\n') ? (
        <textarea rows={6} {...shared} />
      ) : (
        <input type="text" {...shared} />
      )}
      {shown === text ? null : (
        <div className="note" id={`${id}__hidden`}>
          With hidden characters: <code>{shown}</code>
        </div>
      )}
    </>
  );
}

export const ownWidgets: RegistryWidgetsType = Object.fromEntries(
  [
    'TextWidget',
    'TextareaWidget',
    'PasswordWidget',
    'EmailWidget',
    'URLWidget',
    'DateWidget',
    'DateTimeWidget',
    'TimeWidget',
    'AltDateWidget',
    'AltDateTimeWidget',
    'ColorWidget',
    'FileWidget',
  ].map((name) => [name, PlainText]),
);
