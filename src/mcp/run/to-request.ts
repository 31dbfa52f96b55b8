import type { Answer } from '../../agent/answer';
import { cutText } from '../../agent/cut-text';
import { isRecord, type Json, type JsonObject } from '../../agent/json';
import { INPUT_KIND } from '../../agent/question';
import type { RequestDraft } from '../../agent/request';
import type { InputRequest } from '../input-request';

/** Kind of a request that sends a person elsewhere. */
const AUTHORIZATION_KIND = 'authorization';

/** Where a question comes from, as whoever answers it is told. */
export interface Asker {
  readonly tool: string;
  /** The MCP server; absent for a tool of the run's own worker. */
  readonly server?: string;
}

/** A tool's question to a person as a request of its run. Its address is shown and never opened by us. */
export function toRequest(
  { params }: InputRequest,
  { tool, server }: Asker,
  expiresAt?: string,
): RequestDraft {
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  const asker = server === undefined ? tool : `${shown(tool)} of ${server}`;
  const about: JsonObject = { tool, ...(server !== undefined && { server }) };
  const prompt = message === '' ? `${asker} asks for input` : `${asker} asks: ${message}`;
  const deadline = expiresAt !== undefined && { expiresAt };
  if (params['mode'] === 'url' && typeof params['url'] === 'string')
    return { kind: AUTHORIZATION_KIND, prompt, url: params['url'], data: about, ...deadline };
  const form = isRecord(params['requestedSchema']) ? params['requestedSchema'] : {};
  return { kind: INPUT_KIND, prompt, data: { ...about, asks: 'form', form }, ...deadline };
}

const PLAIN_NAME = /^[\w./-]{1,128}$/;
const MAX_NAME = 128;

/** A server may call its tool anything, also what reads like a sentence about somebody else. */
function shown(tool: string): string {
  return PLAIN_NAME.test(tool) ? tool : JSON.stringify(cutText(tool, MAX_NAME));
}

/** What a person said, as the response that the tool takes. */
export function toResponse({ ok, reason, data }: Answer): Json {
  if (ok) return { action: 'accept', ...(isRecord(data?.['content']) && { content: data['content'] }) };
  // Nobody has said no: the time was over, or the run ended.
  return { action: reason === 'expired' || reason === 'cancelled' ? 'cancel' : 'decline' };
}
