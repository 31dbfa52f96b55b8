/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isRecord, type Json } from '../agent/json';
import { valueHint } from './value-hint';
import { LongText, Text } from './text';

/** Deeper than this a value is told as JSON text: no page holds a list in a list a thousand times. */
const MAX_DEPTH = 12;

interface ValueProps {
  readonly value: Json | undefined;
  readonly name?: string;
  /** The object that it stands in: an amount's currency may stand beside it. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly depth?: number;
}

/** A JSON value as a person reads it: names and values, lists, long text whole. Nothing is left out. */
export function Value({ value, name = '', beside = {}, depth = 0 }: ValueProps) {
  if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null)
    return <LongText text={JSON.stringify(value, undefined, 2)} label={name} />;
  if (Array.isArray(value)) return <List items={value as readonly Json[]} name={name} depth={depth} />;
  if (isRecord(value)) return <Fields value={value} depth={depth} />;
  return <Leaf value={value} name={name} beside={beside} />;
}

function Fields({
  value,
  depth,
}: {
  readonly value: Readonly<Record<string, unknown>>;
  readonly depth: number;
}) {
  const entries = Object.entries(value);
  if (entries.length === 0) return <span class="none">no fields</span>;
  return (
    <dl class={depth === 0 ? 'fields' : 'fields inner'}>
      {entries.map(([name, entry]) => (
        <div class={isWide(name, entry) ? 'wide' : undefined}>
          <dt>{name === '' ? <span class="none">empty name</span> : <Text text={name} />}</dt>
          <dd>
            <Value value={entry as Json} name={name} beside={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether a value needs the whole width, below its name. */
function isWide(name: string, value: unknown): boolean {
  if (typeof value === 'string') return isLong(value);
  return name.length > 24 || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);
}

function isLong(text: string): boolean {
  return text.includes('\n') || text.length > 200;
}

function List({
  items,
  name,
  depth,
}: {
  readonly items: readonly Json[];
  readonly name: string;
  readonly depth: number;
}) {
  if (items.length === 0) return <span class="none">an empty list</span>;
  return (
    <ol class="items">
      {items.map((item) => (
        <li>
          <Value value={item} name={name} depth={depth + 1} />
        </li>
      ))}
    </ol>
  );
}

function Leaf({
  value,
  name,
  beside,
}: Required<Pick<ValueProps, 'name' | 'beside'>> & { readonly value: Json | undefined }) {
  const hint = valueHint(name, value, beside);
  return (
    <>
      {typeof value === 'string' ? (
        <TextLeaf text={value} name={name} />
      ) : (
        <code class="atom">{JSON.stringify(value ?? null)}</code>
      )}
      {hint === undefined ? null : <span class="hint"> {hint}</span>}
    </>
  );
}

/** Text that would read as a number, as nothing or as another value keeps its quotes. */
const LOOKS_OTHERWISE = /^(|-?\d[\d.eE+-]*|true|false|null|undefined|[[{"'].*|\s.*|.*\s)$/s;

function TextLeaf({ text, name }: { readonly text: string; readonly name: string }) {
  if (isLong(text)) return <LongText text={text} label={name || 'Text'} />;
  if (!LOOKS_OTHERWISE.test(text)) return <Text text={text} />;
  return (
    <span class="quoted">
      "<Text text={text} />"
    </span>
  );
}
