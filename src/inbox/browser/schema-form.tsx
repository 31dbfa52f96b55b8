import Form from '@rjsf/core';
import type { UiSchema } from '@rjsf/utils';
import { Component, type ReactNode } from 'react';
import { ownTemplates } from './form-templates';
import { ownWidgets } from './form-widgets';
import { schemaValidator } from './schema-validator';

interface SchemaFormProps {
  readonly schema: object;
  readonly value: object;
  readonly onChange: (value: unknown) => void;
  readonly onFailure: () => void;
}

const UI: UiSchema = { 'ui:submitButtonOptions': { norender: true } };

/** The form of a JSON Schema. It stands within the page's own form, which sends the JSON and nothing of this. */
export function SchemaForm({ schema, value, onChange, onFailure }: SchemaFormProps): ReactNode {
  return (
    <Boundary onFailure={onFailure}>
      <Form
        tagName="div"
        schema={schema}
        uiSchema={UI}
        formData={value}
        validator={schemaValidator}
        templates={ownTemplates}
        widgets={ownWidgets}
        liveValidate="onChange"
        showErrorList={false}
        experimental_defaultFormStateBehavior={{ emptyObjectFields: 'skipDefaults', allOf: 'skipDefaults' }}
        onChange={({ formData }) => onChange(formData)}
      />
    </Boundary>
  );
}

/** A schema that the form cannot show leaves the reader the JSON. */
class Boundary extends Component<
  { readonly onFailure: () => void; readonly children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    // Not within React's own work on this tree.
    setTimeout(this.props.onFailure);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
