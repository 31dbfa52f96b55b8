import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { visible, visibleLine } from '../../agent/visible-text';
import { VisibleText } from './visible-text';

const SHORT = 70;

/**
 * Any text, on as many lines as it has. The usual fields drop line breaks, or shift times by the reader's zone, and
 * what was not edited must stay as it is.
 */
function PlainText({ id, value, required, disabled, readonly, schema, onChange }: WidgetProps): ReactNode {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const shared = {
    id,
    value: text,
    required: required && value === undefined,
    disabled,
    readOnly: readonly,
    dir: isNumber ? 'ltr' : 'auto',
    inputMode: isNumber ? ('decimal' as const) : undefined,
    'aria-describedby': `${id}__description ${id}__hidden`,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(isNumber && target.value === '' ? undefined : target.value),
  };
  return (
    <>
      {text.length > SHORT || text.includes('\n') ? (
        <textarea rows={4} {...shared} />
      ) : (
        <input type="text" {...shared} />
      )}
      {visible(text) === text ? null : (
        <div className="note" id={`${id}__hidden`}>
          With hidden characters: <VisibleText text={text} />
        </div>
      )}
    </>
  );
}

/** One of a schema's values, or several. Values are told apart by their place: two may look the same. */
function Choice({
  id,
  label,
  value,
  required,
  disabled,
  readonly,
  multiple,
  options,
  onChange,
}: WidgetProps): ReactNode {
  const choices = options.enumOptions ?? [];
  const placeOf = (wanted: unknown): string =>
    String(choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(wanted)));
  const chosen: string | string[] = multiple
    ? (Array.isArray(value) ? (value as unknown[]) : []).map(placeOf)
    : value === undefined
      ? ''
      : placeOf(value);
  return (
    <select
      id={id}
      // The choice between two forms of a value has no label of its own.
      aria-label={
        /__(any|one)of_select$/.test(id) ? `Form of ${visibleLine(label) || 'the value'}` : undefined
      }
      aria-describedby={`${id}__description`}
      value={chosen}
      multiple={multiple ?? false}
      required={required ?? false}
      disabled={disabled === true || readonly === true}
      onChange={({ target }) => {
        const places = [...target.selectedOptions].filter((option) => option.value !== '');
        const values = places.map((option): unknown => choices[Number(option.value)]?.value);
        onChange(multiple ? values : values[0]);
      }}
    >
      {multiple ? null : <option value=""></option>}
      {choices.map((choice, at) => (
        <option key={at} value={String(at)}>
          {visibleLine(choice.label)}
        </option>
      ))}
    </select>
  );
}

function YesOrNo({ id, label, value, disabled, readonly, schema, onChange }: WidgetProps): ReactNode {
  return (
    <>
      <div className="mark-error">
        <input
          type="checkbox"
          id={id}
          checked={value === true}
          disabled={disabled === true || readonly === true}
          aria-describedby={`${id}__description`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <label htmlFor={id}>
          <VisibleText text={label} />
        </label>
      </div>
      {schema.description === undefined ? null : (
        <div className="note" id={`${id}__description`}>
          <VisibleText text={schema.description} />
        </div>
      )}
    </>
  );
}

const TEXTS = [
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
];

export const ownWidgets: RegistryWidgetsType = {
  ...Object.fromEntries(TEXTS.map((name) => [name, PlainText])),
  UpDownWidget: PlainText,
  RangeWidget: PlainText,
  SelectWidget: Choice,
  RadioWidget: Choice,
  CheckboxesWidget: Choice,
  CheckboxWidget: YesOrNo,
};
