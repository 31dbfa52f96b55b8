import type { RunView } from '../client';
import { indented } from './argument-lines';
import { repeatedFlags, type ConnectionFlags } from './connection';
import { exitOfStatus, type ExitCode } from './exit-codes';
import { invocation } from './invocation';
import type { Output } from './output';
import { openCallsOf } from '../agent/open-calls';
import { requestLines } from './request-lines';
import { shellQuote } from './shell-quote';
import type { Style } from './style';
import { visible, visibleLine } from '../agent/visible-text';
import { waysLines, waysToAnswer } from './ways-to-answer';

/** Prints what a run came to, or what it waits for, and gives the exit code that says so. */
export function reportRun(output: Output, result: RunView, flags: ConnectionFlags): ExitCode {
  const { status, text, runId } = result;
  if (status === 'pending') output.result(result, haltLines(result, flags, output.style));
  else output.result(result, visible(text));
  if (status !== 'done' && status !== 'pending') output.note(visible(endSentence(result)));
  if (status === 'incomplete' || status === 'failed') output.note(lookLine(runId, flags));
  return exitOfStatus(status);
}

/** The open requests of a halted run, each with the commands that answer it. */
export function haltLines(view: RunView, flags: ConnectionFlags, style: Style): string[] {
  const { runId, requests = [], receipts } = view;
  const what = requests.length === 1 ? 'an answer' : `${requests.length} answers`;
  return [
    `Run ${style.bold(visibleLine(runId))} waits for ${what}.`,
    ...requests.flatMap((request) => [
      '',
      ...requestLines(request, openCallsOf(request, receipts), style),
      '',
      ...indented(waysLines(waysToAnswer(view, request, flags))),
    ]),
    '',
    `${invocation()} answer ${shellQuote(runId)}${repeatedFlags(flags)} asks you.`,
  ];
}

/** How a run ended, or that it goes on. */
export function endSentence({ runId, status, limit, error, turns, toolCallCount }: RunView): string {
  const effort = `${counted(turns, 'model call')}, ${counted(toolCallCount, 'tool call')}`;
  switch (status) {
    case 'running':
      return `Run ${runId} is at work.`;
    case 'pending':
      return `Run ${runId} waits for an answer.`;
    case 'done':
      return `Run ${runId} is done: ${effort}.`;
    case 'incomplete':
      return `Run ${runId} is incomplete: it reached its limit ${limit ?? ''} after ${effort}.`;
    case 'cancelled':
      return `Run ${runId} was cancelled after ${effort}.`;
    case 'failed':
      return `Run ${runId} failed after ${effort}: ${error?.message ?? 'it gave no reason'}${error ? ` (${error.type})` : ''}`;
  }
}

function lookLine(runId: string, flags: ConnectionFlags): string {
  return `Its transcript: ${invocation()} show ${shellQuote(runId)}${repeatedFlags(flags)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
