/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Json } from '../agent/json';
import { valueDiff } from './value-diff';
import { Text } from './text';
import { Value } from './value';

/** What differs between the arguments that the model asked for and those that run. */
export function Diff({ before, after }: { readonly before: Json; readonly after: Json }) {
  const changes = valueDiff(before, after);
  if (changes.length === 0) return <p class="none">Nothing differs.</p>;
  return (
    <ul class="changes">
      {changes.map(({ path, before: old, after: now }) => (
        <li>
          <strong>
            <Text text={path === '' ? 'The value' : path} />
          </strong>
          <div class="change">
            <span class="label">the agent asked for</span>
            <del>
              {old === undefined ? <span class="none">nothing</span> : <Value value={old} name={path} />}
            </del>
          </div>
          <div class="change">
            <span class="label">changed to</span>
            <ins>
              {now === undefined ? <span class="none">left out</span> : <Value value={now} name={path} />}
            </ins>
          </div>
        </li>
      ))}
    </ul>
  );
}
