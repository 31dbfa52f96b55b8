import type { Message } from '../src/agent/message';
import { scriptedModel, type ScriptedModel } from '../src/testing/scripted-model';

/** One run: `calls` model calls, each but the last with one tool call, whose result has `resultKb` kB. */
export interface Workload {
  readonly calls: number;
  readonly resultKb: number;
}

export const INPUT = 'Read all pages, one after the other, and say when you are done.';
export const PAGE_TOOL = {
  name: 'page',
  description: 'Reads one page',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
  },
} as const;

/** A page of text that differs from every other page and does not compress into nothing. */
export function page(number: number, { resultKb }: Workload): string {
  const line = `page ${number}: the quick brown fox jumps over the lazy dog, line `;
  const lines: string[] = [];
  for (let bytes = 0, n = 0; bytes < resultKb * 1000; n += 1) {
    lines.push(`${line}${n}`);
    bytes += line.length + String(n).length + 1;
  }
  return lines.join('\n').slice(0, resultKb * 1000);
}

/** A model over HTTP that asks for page after page. Where it stands it reads from the request, as a model does. */
export async function pageReader({ calls }: Workload): Promise<ScriptedModel> {
  return scriptedModel(({ body }) => {
    const messages = body['messages'] as readonly Message[];
    // By its results: some engines send what the model said and what it called as two messages.
    const turn = messages.filter((message) => message.role === 'tool').length + 1;
    if (turn >= calls) return { content: 'Done.' };
    return {
      content: `Page ${turn} next.`,
      toolCalls: [{ id: `call_${turn}`, name: PAGE_TOOL.name, arguments: { number: turn } }],
    };
  });
}
