/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { parseJson, type Json } from '../agent/json';
import { LongText } from './text';
import { Value } from './value';

/** What a call returned: data as data where it is an object or a list, and otherwise the text that it is. */
export function Output({ text, label }: { readonly text: string; readonly label: string }) {
  const value: Json | undefined = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return typeof value === 'object' && value !== null ? (
    <Value value={value} name={label} />
  ) : (
    <LongText text={text} label={label} />
  );
}
