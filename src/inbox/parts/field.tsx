/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Request } from '../../agent/request';
import type { Frame } from '../frame';
import { Token } from '../pages/page';
import { FIELDS, type Action } from '../read-decision';

interface DecisionFormProps {
  readonly frame: Frame;
  /** Where it is posted to. */
  readonly to: string;
  readonly action: Action;
  readonly children?: Child;
}

/** A form that decides one thing. */
export function DecisionForm({ frame, to, action, children }: DecisionFormProps) {
  return (
    <form method="post" action={to} class={`decision ${action}`} data-decides="yes">
      <Token frame={frame} />
      <input type="hidden" name={FIELDS.action} value={action} />
      {children}
    </form>
  );
}

/** Says which arguments the page showed: a decision about others is refused. */
export function SeenDigest({ request }: { readonly request: Request }) {
  const digest = request.kind === 'approval' ? request.data?.['digest'] : undefined;
  return typeof digest === 'string' ? <input type="hidden" name={FIELDS.digest} value={digest} /> : null;
}

export function ErrorMark({
  id,
  name,
  checked,
}: {
  readonly id: string;
  readonly name: string;
  readonly checked: boolean;
}) {
  return (
    <div class="mark-error">
      <input type="checkbox" id={id} name={name} value="yes" checked={checked} />
      <label for={id}>This is an error</label>
    </div>
  );
}
