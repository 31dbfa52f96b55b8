/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { visibleLine } from '../agent/visible-text';

/** The head of every page. */
export function Head({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${visibleLine(title)} · Holdpoint`}</title>
      {children}
    </head>
  );
}
