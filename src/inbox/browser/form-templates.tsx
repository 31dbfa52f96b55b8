import type {
  ArrayFieldItemTemplateProps,
  DescriptionFieldProps,
  FieldErrorProps,
  IconButtonProps,
  TemplatesType,
} from '@rjsf/utils';
import type { ReactNode } from 'react';
import { visible } from '../../agent/visible-text';

/** What a schema says of a field is somebody's text: shown as text. */
function Description({ id, description }: DescriptionFieldProps): ReactNode {
  return typeof description === 'string' && description !== '' ? (
    <div className="note" id={id}>
      {visible(description)}
    </div>
  ) : null;
}

function Problems({ errors, fieldPathId }: FieldErrorProps): ReactNode {
  return !errors || errors.length === 0 ? null : (
    <ul className="field-problems" id={`${fieldPathId.$id}__error`}>
      {errors.map((error, at) => (
        <li key={at}>{typeof error === 'string' ? visible(error) : error}</li>
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

function Add({ id, disabled, onClick }: IconButtonProps): ReactNode {
  return (
    <button type="button" id={id} disabled={disabled} onClick={onClick}>
      Add
    </button>
  );
}

function Remove({ id, disabled, onClick }: IconButtonProps): ReactNode {
  return (
    <button type="button" id={id} disabled={disabled} onClick={onClick}>
      Remove
    </button>
  );
}

export const ownTemplates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> & {
  ButtonTemplates: Partial<TemplatesType['ButtonTemplates']>;
} = {
  DescriptionFieldTemplate: Description,
  FieldErrorTemplate: Problems,
  ArrayFieldItemTemplate: Item,
  ButtonTemplates: { AddButton: Add, RemoveButton: Remove },
};
