import type {
  ArrayFieldItemTemplateProps,
  DescriptionFieldProps,
  FieldErrorProps,
  FieldTemplateProps,
  IconButtonProps,
  TemplatesType,
  TitleFieldProps,
} from '@rjsf/utils';
import { getTemplate } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { VisibleText } from './visible-text';

/** What a schema says of a field is somebody's text: shown as text. */
function Description({ id, description }: DescriptionFieldProps): ReactNode {
  return typeof description === 'string' && description !== '' ? (
    <div className="note" id={id}>
      <VisibleText text={description} />
    </div>
  ) : null;
}

function Title({ id, title, required }: TitleFieldProps): ReactNode {
  return (
    <legend id={id}>
      <VisibleText text={title} />
      {required ? ' *' : ''}
    </legend>
  );
}

function Field(props: FieldTemplateProps): ReactNode {
  const {
    id,
    label,
    children,
    errors,
    help,
    description,
    hidden,
    required,
    displayLabel,
    registry,
    uiSchema,
  } = props;
  const Whole = getTemplate('WrapIfAdditionalTemplate', registry, uiSchema);
  if (hidden) return <div hidden>{children}</div>;
  return (
    <Whole {...props}>
      {displayLabel ? (
        <label htmlFor={id}>
          <VisibleText text={label} />
          {required ? ' *' : ''}
        </label>
      ) : null}
      {displayLabel ? description : null}
      {children}
      {errors}
      {help}
    </Whole>
  );
}

function Problems({ errors, fieldPathId }: FieldErrorProps): ReactNode {
  return !errors || errors.length === 0 ? null : (
    <ul className="field-problems" id={`${fieldPathId.$id}__error`}>
      {errors.map((error, at) => (
        <li key={at}>{typeof error === 'string' ? <VisibleText text={error} /> : error}</li>
      ))}
    </ul>
  );
}

function Item({ children, buttonsProps, hasToolbar }: ArrayFieldItemTemplateProps): ReactNode {
  const { hasRemove, hasMoveUp, hasMoveDown, onRemoveItem, onMoveUpItem, onMoveDownItem, index, disabled } =
    buttonsProps;
  return (
    <div className="form-item">
      <div>{children}</div>
      {hasToolbar ? (
        <div className="form-item-buttons">
          {hasMoveUp ? (
            <Plain
              label={`Move item ${index + 1} up`}
              words="Up"
              disabled={disabled}
              onClick={onMoveUpItem}
            />
          ) : null}
          {hasMoveDown ? (
            <Plain
              label={`Move item ${index + 1} down`}
              words="Down"
              disabled={disabled}
              onClick={onMoveDownItem}
            />
          ) : null}
          {hasRemove ? (
            <Plain
              label={`Remove item ${index + 1}`}
              words="Remove"
              disabled={disabled}
              onClick={onRemoveItem}
            />
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

interface PlainProps {
  readonly label: string;
  readonly words: string;
  readonly disabled?: boolean | undefined;
  readonly onClick: IconButtonProps['onClick'];
}

function Plain({ label, words, disabled, onClick }: PlainProps): ReactNode {
  return (
    <button type="button" aria-label={label} disabled={disabled} onClick={onClick}>
      {words}
    </button>
  );
}

function wordButton(words: string) {
  return function WordButton({ id, disabled, onClick }: IconButtonProps): ReactNode {
    return (
      <button type="button" id={id} disabled={disabled} onClick={onClick}>
        {words}
      </button>
    );
  };
}

export const ownTemplates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> & {
  ButtonTemplates: Partial<TemplatesType['ButtonTemplates']>;
} = {
  DescriptionFieldTemplate: Description,
  TitleFieldTemplate: Title,
  FieldTemplate: Field,
  FieldErrorTemplate: Problems,
  ArrayFieldItemTemplate: Item,
  ButtonTemplates: { AddButton: wordButton('Add'), RemoveButton: wordButton('Remove') },
};
