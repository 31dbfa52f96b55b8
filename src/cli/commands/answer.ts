import type { Command } from 'commander';
import type { Answer } from '../../agent/answer';
import { isVoteReceipt, type Receipt } from '../../agent/receipt';
import type { HoldpointClient, RunView } from '../../client';
import { answerFromFlags, givenDecision, type AnswerFlags } from '../answer-flags';
import { indented } from '../argument-lines';
import { answerAtTerminal } from '../answer-at-terminal';
import { fitsNot } from '../answer-fit';
import { usageError } from '../command-error';
import { withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT, type ExitCode } from '../exit-codes';
import { onInterrupt } from '../interruption';
import { withRunOrLastAsk } from '../last-ask';
import { carryOut, newCommand, withJson } from '../new-command';
import type { Output, OutputOptions } from '../output';
import { nothingOpen, pickRequest } from '../pick-request';
import { readToAnswer } from '../read-to-answer';
import { reportRun } from '../report-run';
import { waitOf } from '../start-options';
import { waitDuration } from '../values';
import { visibleLine } from '../../agent/visible-text';
import { voteText } from '../vote-text';
import { waysLines, waysToAnswer } from '../ways-to-answer';

interface Flags extends AnswerFlags, ConnectionFlags, OutputOptions {
  readonly wait?: true | number;
}

export function answerCommand(): Command {
  const command = newCommand('answer', {
    summary: 'answer what a run waits on',
    details:
      'On a terminal and without a decision among the options it shows the request and asks you. The run itself accepts or refuses the answer. It counts once: the same answer to the same request is a repeat and prints the first receipt. Scripts therefore name the request; without its id, a command that is repeated would answer whatever is open by then',
    examples: [
      'holdpoint answer ticket-77',
      'holdpoint answer ticket-77 req_5c1f --approve --by ann@shop.example',
      `holdpoint answer ticket-77 --input '{"order":"1047","amountCents":4500}' --wait`,
      `holdpoint answer ticket-77 --decline 'not without the receipt'`,
      `holdpoint answer ticket-77 --result call_2='It came back on Monday.'`,
      `echo '{"ok":true,"data":{"rerun":true}}' | holdpoint answer ticket-77 --json-answer -`,
    ],
    exits: ['done', 'pending', 'ended', 'refused', 'unavailable', 'waiting'],
  })
    .argument('<run>', 'id of the run, or of a conversation: its current ask')
    .argument('[request]', 'id of the request (default: the only open one); scripts give it')
    .option('--approve', 'yes')
    .option('--all-calls', 'with --approve: for all later calls of the tool in this run, too')
    .option('--input <json>', 'yes, with these arguments in place of the model’s')
    .option('--decline [reason]', 'no')
    .option('--output <text>', 'the result, where there is one call; - reads standard input')
    .option('--result <call=text>', 'the result of one call; give it once a call', collect)
    .option('--data <json>', 'yes, with this as the answer’s data')
    .option('--json-answer <file>', 'the answer {ok, data?, reason?, by?, answerId?}; - reads standard input')
    .option('--by <who>', 'who answers, for the record (default: the name of your account)')
    .option('--role <role>', 'what they are, where a request asks for a role; give it once a role', collect)
    .option(
      '--wait [duration]',
      'then wait for the next halt or the end, and end with its exit code (default: 10m)',
      waitDuration,
    );
  return withJson(withConnection(command, { tenant: true })).action(answer);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

async function answer(id: string, requestId: string | undefined, flags: Flags): Promise<void> {
  await carryOut(flags, async (output) => {
    const decision = givenDecision(flags);
    return withClient(flags, output, async (client) => {
      const view = await withRunOrLastAsk(client, { id, tenant: flags.tenant }, output, (runId) =>
        readToAnswer(client, runId, requestId),
      );
      if (decision === undefined)
        return askAndSend(client, askable(view, flags, requestId), requestId, flags, output);
      return send(client, view.runId, await chosen(view, requestId, flags), flags, output);
    });
  });
}

/** What does not fit goes back to whoever typed it: nothing of it has counted. */
async function askAndSend(
  client: HoldpointClient,
  view: RunView,
  requestId: string | undefined,
  flags: Flags,
  output: Output,
): Promise<ExitCode> {
  let refused: Answer | undefined;
  for (;;) {
    const given = await answerAtTerminal(
      view,
      { requestId: refused?.id ?? requestId, refused },
      flags,
      output,
    );
    if (!given) return EXIT.pending;
    try {
      return await send(client, view.runId, given, flags, output);
    } catch (error) {
      if (!fitsNot(error)) throw error;
      output.failure(error);
      refused = given;
    }
  }
}

async function chosen(view: RunView, requestId: string | undefined, flags: Flags): Promise<Answer> {
  return answerFromFlags(flags, pickRequest(view, requestId, flags));
}

/** Refuses to ask where nobody sits: the commands that answer stand in the error. */
function askable(view: RunView, flags: Flags, requestId: string | undefined): RunView {
  if (process.stdin.isTTY && process.stdout.isTTY && flags.json !== true) return view;
  const { requests = [] } = view;
  const open = requestId === undefined ? requests : requests.filter(({ id }) => id === requestId);
  if (open.length === 0) throw nothingOpen(view, flags);
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
  const text = isVoteReceipt(receipt) ? await voteText(client, runId, receipt) : receiptText(receipt);
  if (flags.wait === undefined) {
    output.result(receipt, text);
    return EXIT.done;
  }
  output.note(text);
  interruption.goesOn('The answer was accepted, and the run goes on.');
  return reportRun(output, await client.waitForHalt(runId, { signal, ...waitOf(flags.wait) }), flags);
}

function receiptText({ ok, resolved, open, by, at }: Receipt): string {
  const who = by === undefined ? '' : `, by ${visibleLine(by)}`;
  const what = ok ? 'Accepted' : 'Declined';
  const left = resolved ? '' : ` Still open: ${open.map(visibleLine).join(', ')}.`;
  return `${what} at ${at}${who}.${left}`;
}
