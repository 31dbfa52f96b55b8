import { isRelayRequest, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import { kindWords } from './kinds';
import { cutLine } from '../agent/visible-text';
import { isCallApproval } from './subject';
import { subjectLine } from './subject-line';

/** A prompt may be long and stands below in full; the tool's name is what a reader looks for. */
export function titleOf(request: Request, calls: readonly RelayCall[]): string {
  const { tool } = request.data ?? {};
  if (isCallApproval(request) && typeof tool === 'string') return `Approve ${tool}?`;
  const [call, ...others] = calls;
  if (isRelayRequest(request) && call)
    return others.length === 0
      ? call.name
      : `${calls.length} calls: ${calls.map(({ name }) => name).join(', ')}`;
  return isTitle(request.prompt) ? request.prompt : kindWords(request.kind);
}

/** A longer one stands below its kind. */
function isTitle(prompt: string): boolean {
  return prompt.trim() !== '' && prompt.length <= 100 && !prompt.includes('\n');
}

const TAB_DETAIL = 60;

/** What a tab is called: requests of one tool are told apart by their arguments and their run. */
export function pageTitleOf(runId: string, request: Request, calls: readonly RelayCall[]): string {
  const detail = cutLine(subjectLine(request).detail, TAB_DETAIL);
  return [titleOf(request, calls), detail, runId].filter((piece) => piece !== '').join(' \u00b7 ');
}
