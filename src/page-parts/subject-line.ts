import { isRecord } from '../agent/json';
import { relayCallsOf } from '../agent/relay';
import type { Request } from '../agent/request';
import { cutLine } from '../agent/visible-text';

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
  const pieces = Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return cutLine(pieces.join(', '), SHOWN);
}
