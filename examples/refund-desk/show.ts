import { relayCallsOf, type Message, type PendingResult, type Request, type RunResult } from 'holdpoint';
import { waysToAnswer, type RunPlace } from './ways-to-answer';

/** Says what is going on, with the seconds since the demo began. */
export function say(line: string): void {
  console.log(`[${process.uptime().toFixed(1).padStart(5)} s] ${line}`);
}

/** Where a request is answered: by whoever has the link, and by whoever signs in. */
export interface Links {
  readonly link: string;
  readonly page: string;
}

export function showRequests({ requests }: PendingResult, links: ReadonlyMap<string, Links>): void {
  for (const request of requests) {
    console.log(`\n  request  ${request.id} (${request.kind})`);
    console.log(`  prompt   ${request.prompt}`);
    for (const call of callsOf(request)) console.log(`  call     ${call}`);
    console.log(`  inbox    ${links.get(request.id)?.page ?? ''}`);
    console.log(`  link     ${links.get(request.id)?.link ?? ''}`);
  }
  console.log();
}

export function showWaysToAnswer({ requests }: PendingResult, place: RunPlace): void {
  for (const request of requests) {
    console.log(`  To answer ${request.prompt}`);
    for (const line of waysToAnswer(request, place)) console.log(`    ${line}`);
    console.log();
  }
}

/** A relay request has calls for the host to execute; an approval says exactly what will run. */
function callsOf(request: Request): string[] {
  const { tool, input } = request.data ?? {};
  if (typeof tool === 'string') return [`${tool}(${JSON.stringify(input)})`];
  return relayCallsOf(request).map((call) => `${call.name}(${call.arguments}) as ${call.id}`);
}

export function showEnd({
  status,
  text,
  error,
  limit,
  messages,
  turns,
  toolCallCount,
  usage,
}: RunResult): void {
  console.log('\nTranscript');
  for (const message of messages) console.log(toLine(message));
  console.log(
    `\nEnded as ${status}${limit ? ` (limit ${limit})` : ''}: ${turns} model calls, ${toolCallCount} tool calls, ${usage.totalTokens} tokens.`,
  );
  if (error) console.log(`${error.type}: ${error.message}`);
  console.log(`Final text: ${text}`);
}

function toLine(message: Message): string {
  const { role } = message;
  const calls = role === 'assistant' ? (message.tool_calls ?? []) : [];
  const said = calls.map((call) => `calls ${call.function.name}(${call.function.arguments}) as ${call.id}`);
  if (message.content) said.unshift(contentOf(message));
  const label = role === 'tool' ? `result of ${message.tool_call_id}` : role;
  return `  ${label.padEnd(17)} ${said.join('; ')}`;
}

function contentOf({ content }: Message): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
