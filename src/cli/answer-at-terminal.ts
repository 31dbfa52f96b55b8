import type { Answer } from '../agent/answer';
import type { Request } from '../agent/request';
import type { RunView } from '../client';
import { inName, type AnswerFlags } from './answer-flags';
import { askAgain, askPerson } from './ask-person';
import type { ConnectionFlags } from './connection';
import type { Output } from './output';
import { nothingOpen } from './pick-request';
import { openCallsOf } from '../agent/open-calls';
import { requestLines } from './request-lines';
import { TerminalPrompt } from './terminal-prompt';
import { visibleLine } from '../agent/visible-text';

/** Which request is asked about: the one with the id, or one that is chosen. */
export interface Asking {
  readonly requestId: string | undefined;
  /** An answer that was given here and did not fit: it is asked for again, from where it was. */
  readonly refused: Answer | undefined;
}

/** Shows what a run waits on and asks for an answer; `undefined` when it is left open. */
export async function answerAtTerminal(
  view: RunView,
  { requestId, refused }: Asking,
  flags: ConnectionFlags & Pick<AnswerFlags, 'by' | 'role'>,
  output: Output,
): Promise<Answer | undefined> {
  const { requests = [], receipts } = view;
  const open = requestId === undefined ? requests : requests.filter(({ id }) => id === requestId);
  if (open.length === 0) throw nothingOpen(view, flags);
  using prompt = new TerminalPrompt();
  const request = await choose(prompt, open);
  const calls = openCallsOf(request, receipts);
  const subject = { id: request.id, request, calls };
  if (!refused) process.stdout.write(`${requestLines(request, calls, output.style).join('\n')}\n\n`);
  const answer = refused
    ? await askAgain(prompt, subject, refused, output.style)
    : await askPerson(prompt, subject, output.style);
  return answer && inName(answer, flags);
}

async function choose(prompt: TerminalPrompt, open: readonly Request[]): Promise<Request> {
  const [first, ...others] = open;
  if (first && others.length === 0) return first;
  const list = open.map(({ kind, prompt: asks }, at) => `  ${at + 1}  (${kind}) ${visibleLine(asks)}`);
  process.stdout.write(`The run waits on ${open.length} requests:\n${list.join('\n')}\n`);
  for (;;) {
    const request = open[Number(await prompt.ask('Which one? ')) - 1];
    if (request) return request;
  }
}
