import type { Command } from 'commander';
import type { Answer } from '../../agent/answer';
import type { Receipt } from '../../agent/receipt';
import type { HoldpointClient, RunView } from '../../client';
import { answerFromFlags, givenDecision, type AnswerFlags } from '../answer-flags';
import { indented } from '../argument-lines';
import { answerAtTerminal } from '../answer-at-terminal';
import { usageError } from '../command-error';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT, type ExitCode } from '../exit-codes';
import { onInterrupt } from '../interruption';
import { carryOut, newCommand, withJson } from '../new-command';
import type { Output, OutputOptions } from '../output';
import { nothingOpen, pickRequest } from '../pick-request';
import { reportRun } from '../report-run';
import { waitOf } from '../start-options';
import { waitDuration } from '../values';
import { visibleLine } from '../visible-text';
import { waysLines, waysToAnswer } from '../ways-to-answer';

interface Flags extends AnswerFlags, ConnectionFlags, OutputOptions {
  readonly wait?: true | number;
}

export function answerCommand(): Command {
  const command = newCommand('answer', {
    summary: 'answer what a run waits on',
    details:
      'On a terminal and without a decision among the options it shows the request and asks you. The run itself accepts or refuses the answer, and an answer counts once: sent again it is a repeat',
    examples: [
      'holdpoint answer ticket-77',
      'holdpoint answer ticket-77 --approve --by ann@shop.example',
      `holdpoint answer ticket-77 --input '{"order":"1047","amountCents":4500}' --wait`,
      `holdpoint answer ticket-77 --decline 'not without the receipt'`,
      `holdpoint answer ticket-77 --result call_2='It came back on Monday.'`,
      `echo '{"ok":true,"data":{"rerun":true}}' | holdpoint answer ticket-77 --json-answer -`,
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<run>', 'id of the run')
    .argument('[request]', 'id of the request (default: the only open one)')
    .option('--approve', 'yes')
    .option('--input <json>', 'yes, with these arguments in place of the model’s')
    .option('--decline [reason]', 'no')
    .option('--output <text>', 'the result, where there is one call; - reads standard input')
    .option('--result <call=text>', 'the result of one call; give it once a call', collect)
    .option('--data <json>', 'yes, with this as the answer’s data')
    .option('--json-answer <file>', 'the answer {ok, data?, reason?, by?, answerId?}; - reads standard input')
    .option('--by <who>', 'who answers, for the record (default: the name of your account)')
    .option(
      '--wait [duration]',
      'then wait for the next halt or the end, and end with its exit code (default: 10m)',
      waitDuration,
    );
  return withJson(withConnection(command)).action(answer);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

async function answer(runId: string, requestId: string | undefined, flags: Flags): Promise<void> {
  await carryOut(flags, async (output) => {
    const decision = givenDecision(flags);
    return withClient(flags, output, async (client) => {
      const view = await client.get(runId, { messages: false });
      const given =
        decision === undefined
          ? await answerAtTerminal(askable(view, flags, requestId), requestId, flags, output)
          : await chosen(view, requestId, flags);
      if (!given) return EXIT.pending;
      return send(client, runId, given, flags, output);
    });
  });
}

async function chosen(view: RunView, requestId: string | undefined, flags: Flags): Promise<Answer> {
  return answerFromFlags(flags, pickRequest(view, requestId));
}

/** Refuses to ask where nobody sits: the commands that answer stand in the error. */
function askable(view: RunView, flags: Flags, requestId: string | undefined): RunView {
  if (process.stdin.isTTY && process.stdout.isTTY && flags.json !== true) return view;
  const { requests = [] } = view;
  const open = requestId === undefined ? requests : requests.filter(({ id }) => id === requestId);
  if (open.length === 0) throw nothingOpen(view);
  const ways = open.flatMap((request) => [
    `${visibleLine(request.prompt)}`,
    ...indented(waysLines(waysToAnswer(view, request, flags))),
  ]);
  throw usageError(`There is no terminal to ask at. Say what you answer:\n${ways.join('\n')}`);
}

async function send(
  client: HoldpointClient,
  runId: string,
  given: Answer,
  flags: Flags,
  output: Output,
): Promise<ExitCode> {
  using interruption = onInterrupt();
  const { signal } = interruption;
  const receipt = await client.answer(runId, given, { signal });
  if (flags.wait === undefined) {
    output.result(receipt, receiptText(receipt));
    return EXIT.done;
  }
  output.note(receiptText(receipt));
  interruption.goesOn('The answer was accepted, and the run goes on.');
  return reportRun(output, await client.waitForHalt(runId, { signal, ...waitOf(flags.wait) }), flags);
}

function receiptText({ ok, resolved, open, by, at }: Receipt): string {
  const who = by === undefined ? '' : `, by ${visibleLine(by)}`;
  const what = ok ? 'Accepted' : 'Declined';
  const left = resolved ? '' : ` Still open: ${open.map(visibleLine).join(', ')}.`;
  return `${what} at ${at}${who}.${left}`;
}
