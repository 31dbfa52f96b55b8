import { canonicalJson, type Json } from '../agent/json';
import { toolCallsOf, type Message } from '../agent/message';
import { isVoteReceipt, type Receipt, type Rejection } from '../agent/receipt';
import type { ToolCallRecord } from '../agent/result';
import { receiptsOfCalls, recordsByPlace, type ReceiptOfCall } from '../agent/transcript-calls';
import type { StandingGrant } from '../agent/run-state';
import { inputOf } from '../agent/run-result';
import type { RunView } from '../client';
import { argumentLines, indented } from './argument-lines';
import type { Style } from './style';
import { visible, visibleJson, visibleLine } from '../agent/visible-text';
import { saysNotRun } from '../agent/result-text';

/** Longest text shown of one message, in characters, unless all is asked for. */
const SHOWN = 2_000;

export interface TranscriptOptions {
  readonly style: Style;
  /** Nothing is cut. */
  readonly full: boolean;
}

/**
 * A transcript as a person reads it: who said what, each call with its arguments, its result and who answered
 * for it. Messages of a conversation's other asks have no call records; their results stand as they came.
 */
export function transcriptLines(view: RunView, options: TranscriptOptions): string[] {
  const { messages, toolCalls, receipts = [], grants = [] } = view;
  const records = recordsByPlace(messages, toolCalls);
  const inline = receiptsOfCalls(toolCalls, receipts);
  const lines: string[] = [];
  messages.forEach((message, at) => {
    if (message.role === 'tool') return;
    lines.push('', ...saidLines(message, options));
    toolCallsOf(message).forEach((call, index) => {
      const record = records.get(`${at}/${index}`);
      const reply = messages[at + 1 + index];
      const output = record?.output ?? (reply?.role === 'tool' ? reply.content : undefined);
      const asked = inputOf(call.function.arguments) ?? call.function.arguments;
      lines.push(
        `  ${options.style.cyan(visibleLine(call.function.name))} ${options.style.dim(`call ${visibleLine(call.id)}`)}`,
        ...indented(callLines(asked, record, options), '    '),
        ...(record ? inline.filter((entry) => entry.record === record).map(answeredLine(options)) : []),
        ...resultLines(record, output, options),
      );
    });
  });
  const refused = view.rejections ?? [];
  const rest = receipts.filter((receipt) => !inline.some((entry) => entry.receipt === receipt));
  if (rest.length > 0) lines.push('', 'Answers', ...rest.map((receipt) => `  ${receiptLine(receipt)}`));
  if (grants.length > 0)
    lines.push('', 'Approved for all calls', ...grants.map((one) => `  ${grantLine(one)}`));
  if (refused.length > 0) lines.push('', 'Refused answers', ...refused.map((one) => `  ${refusedLine(one)}`));
  return lines.slice(1);
}

/** What the model asked for, and where somebody changed that, what ran in its place. */
function callLines(
  asked: Json,
  record: ToolCallRecord | undefined,
  { style }: TranscriptOptions,
): readonly string[] {
  if (!record || canonicalJson(record.args) === canonicalJson(asked)) return argumentLines(asked);
  const isOpen = record.metadata?.['pending'] !== undefined;
  return [
    style.dim('asked for'),
    ...indented(argumentLines(asked)),
    style.dim(isOpen ? 'would run with' : saysNotRun(record.output) ? 'changed to' : 'ran with'),
    ...indented(argumentLines(record.args)),
  ];
}

function saidLines(
  message: Exclude<Message, { role: 'tool' }>,
  { style, full }: TranscriptOptions,
): string[] {
  const { role, content } = message;
  const text = typeof content === 'string' ? content : content === null ? '' : visibleJson(content, 2);
  const label = role === 'user' ? style.green('user') : style.bold(role);
  return [label, ...(text === '' ? [] : indented(shortened(text, full)))];
}

function resultLines(
  record: ToolCallRecord | undefined,
  output: string | undefined,
  { style, full }: TranscriptOptions,
): string[] {
  if (output === undefined) return [`    ${style.dim('no result yet')}`];
  if (record?.metadata?.['pending'] !== undefined) return [`    ${style.yellow('waits for an answer')}`];
  const mark = record?.isError === true ? style.red('error') : style.dim('result');
  const [first = '', ...rest] = shortened(output, full);
  return [`    ${mark} ${first}`.trimEnd(), ...indented(rest, '      ')];
}

function answeredLine({ style }: TranscriptOptions) {
  return ({ receipt }: ReceiptOfCall): string => `    ${style.dim(receiptLine(receipt))}`;
}

/** Who answered what, when and how. */
function receiptLine(receipt: Receipt): string {
  return `${deedOf(receipt)}, request ${visibleLine(receipt.requestId)}`;
}

/** A decision about calls that are still to come. */
function grantLine({ tool, by, at, path = [] }: StandingGrant): string {
  const who = by === undefined ? '' : ` by ${visibleLine(by)}`;
  const where = path.length === 0 ? '' : `, inside ${path.map(visibleLine).join(' > ')}`;
  return `${visibleLine(tool)}${who} at ${at}${where}`;
}

/** An attempt that changed nothing. */
function refusedLine({ requestId, by, channel, error, at }: Rejection): string {
  const who = by === undefined ? '' : ` by ${visibleLine(by)}`;
  const where = channel === undefined ? '' : ` (${visibleLine(channel)})`;
  const what = requestId === undefined ? '' : `, request ${visibleLine(requestId)}`;
  return `refused${who} at ${at}${where}${what}: ${visibleLine(error.message)}`;
}

function deedOf(receipt: Receipt): string {
  const { ok, by, as, at, via, late, voided, channel, edited, allCallsOf } = receipt;
  switch (via) {
    case 'policy':
      return `approved at ${at}, as all calls of the tool were${by === undefined ? '' : ` by ${visibleLine(by)}`}`;
    case 'expiry':
      return `expired at ${at}`;
    case 'cancel':
      return `closed with the run at ${at}`;
    default: {
      const role = as === undefined || as === by ? '' : ` as ${visibleLine(as)}`;
      const who = by === undefined ? '' : ` by ${visibleLine(by)}${role}`;
      const deed = isVoteReceipt(receipt) ? 'approved, one of several,' : ok ? 'answered' : 'declined';
      const extra = [
        ...(channel === undefined ? [via] : [visibleLine(channel)]),
        ...(edited === undefined ? [] : ['with other arguments']),
        ...(allCallsOf === undefined ? [] : [`for all calls of ${visibleLine(allCallsOf)}`]),
        ...(late ? ['after the deadline'] : []),
        ...(voided ? ['void: the arguments were changed since'] : []),
      ];
      return `${deed}${who} at ${at} (${extra.join(', ')})`;
    }
  }
}

function shortened(text: string, full: boolean): string[] {
  const characters = [...text];
  if (full || characters.length <= SHOWN) return visible(text).split('\n');
  const more = characters.length - SHOWN;
  return [
    ...visible(characters.slice(0, SHOWN).join('')).split('\n'),
    `… ${more} more characters; --full shows them`,
  ];
}
