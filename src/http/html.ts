import { createHash } from 'node:crypto';
import { visible } from '../agent/visible-text';

/** A piece of a page. Only {@link html} makes one, so that nothing gets in unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** Builds a piece of a page: what is put in is escaped, and what would be hidden shows as an escape. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, at) => text + textOf(parts[at - 1]) + string));
}

/** A text that goes back as it is, for the value of a field: escaped, and nothing else. */
export function raw(text: string): Html {
  return new Html(escape(text));
}

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((one) => one.text).join('');
  return escape(visible(String(part)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

const STYLE = `
:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:.75rem;border-radius:.25rem}
label{display:block;margin-top:1rem}
textarea{box-sizing:border-box;width:100%;min-height:5rem;font:inherit}
button{font:inherit;padding:.5rem 1.25rem;margin:1rem .5rem 0 0}
`;

/** The page may load nothing, run nothing, and post only to where it came from. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every page is sent with: its address is a secret, and no other site may frame or keep it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** A whole page. */
export function page(title: string, body: Html): string {
  const head = html`<meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>
      ${title}
    </title>`;
  return `<!doctype html><html lang="en"><head>${head.text}<style>${STYLE}</style></head><body><main>${body.text}</main></body></html>`;
}
