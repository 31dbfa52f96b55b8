import { isRecord, type Json } from '../agent/json';
import { relayCallsOf } from '../agent/relay';
import type { Request } from '../agent/request';
import { cutLine } from '../agent/visible-text';
import { valueHint } from './value-hint';

const SHOWN = 140;

/** What a request is about in one line of a list. The request's own page has all of it. */
export function subjectLine(request: Request): { readonly title: string; readonly detail: string } {
  const { prompt, data = {} } = request;
  const { tool, input } = data;
  if (request.kind === 'approval' && typeof tool === 'string')
    return { title: tool, detail: isRecord(input) ? briefly(input) : '' };
  const [call, ...others] = relayCallsOf(request);
  if (call)
    return {
      title: others.length === 0 ? call.name : `${call.name} and ${others.length} more`,
      detail: briefly(call.input),
    };
  return { title: cutLine(prompt, SHOWN), detail: '' };
}

function briefly(input: Readonly<Record<string, unknown>>): string {
  return cutLine(told(input), SHOWN);
}

function told(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([name, value]) => {
      const hint = valueHint(name, value as Json, input);
      return `${name}: ${toldValue(value)}${hint === undefined ? '' : ` (${hint})`}`;
    })
    .join(', ');
}

function toldValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  // One level: what is deeper stands on the request's own page.
  if (isRecord(value)) return `${Object.keys(value).length} fields`;
  return JSON.stringify(value);
}
