import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../src/agent/json';
import type { Message, ToolCallPart } from '../../src/agent/message';
import type { Tool } from '../../src/agent/tool';
import type { MessageTurn } from '../../src/testing';
import { relayTool } from '../../src/tools';

/** Where the recorded conversations are; they are no part of this repository. */
export const AIRLINE = process.env.HOLDPOINT_AIRLINE_DATA ?? join(__dirname, '../../../shared/data/airline');

/** One customer message, up to the agent's reply to it. */
export interface RecordedAsk {
  readonly text: string;
  /** The agent's messages, in order; the last one has no calls. */
  readonly turns: readonly MessageTurn[];
  /** What each of the turns but the last got back, in the order of its calls. */
  readonly outputs: readonly (readonly string[])[];
}

export interface Recording {
  readonly asks: readonly RecordedAsk[];
  /** All messages of the asks, as the final transcript should hold them. */
  readonly messages: readonly Message[];
}

interface RecordedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCallPart[] | null;
  readonly tool_call_id?: string;
}

export const hasRecordings = existsSync(join(AIRLINE, 'tools.json'));

/** The recorded agent's tools; a host executes all of them. */
export function recordedTools(): Tool[] {
  const tools =
    readJson<readonly { function: { name: string; description: string; parameters: JsonSchema } }[]>(
      'tools.json',
    );
  return tools.map(({ function: { name, description, parameters } }) =>
    relayTool({ name, description, inputSchema: parameters }),
  );
}

export function recordedPrompt(): string {
  return readFileSync(join(AIRLINE, 'system-prompt.txt'), 'utf8');
}

/** A recording up to the last agent message without calls: what follows, nobody replied to. */
export function readRecording(file: string): Recording {
  const { messages } = readJson<{ readonly messages: readonly RecordedMessage[] }>(file);
  const end = messages.findLastIndex(({ role, tool_calls: calls }) => role === 'assistant' && !calls?.length);
  const played = messages.slice(0, end + 1).map(toMessage);
  return { asks: toAsks(played), messages: played };
}

/** Role, content, calls and call ids: the recordings hold some fields beside these. */
function toMessage({ role, content, tool_calls: calls, tool_call_id: id }: RecordedMessage): Message {
  if (role === 'user') return { role, content: content ?? '' };
  if (role === 'tool') return { role, tool_call_id: id ?? '', content: content ?? '' };
  if (!calls?.length) return { role, content };
  const plain = calls.map((call): ToolCallPart => {
    const { name, arguments: text } = call.function;
    return { id: call.id, type: 'function', function: { name, arguments: text } };
  });
  return { role, content, tool_calls: plain };
}

function toAsks(messages: readonly Message[]): RecordedAsk[] {
  const asks: { text: string; turns: MessageTurn[]; outputs: string[][] }[] = [];
  for (const message of messages) {
    const ask = asks.at(-1);
    if (message.role === 'user') asks.push({ text: textOf(message), turns: [], outputs: [] });
    else if (message.role === 'tool') ask?.outputs.at(-1)?.push(message.content);
    else {
      ask?.turns.push(toTurn(message));
      if (message.tool_calls) ask?.outputs.push([]);
    }
  }
  return asks;
}

function textOf({ content }: Extract<Message, { role: 'user' }>): string {
  if (typeof content === 'string') return content;
  throw new Error('The recordings hold texts only');
}

function toTurn({ content, tool_calls: calls }: Extract<Message, { role: 'assistant' }>): MessageTurn {
  if (!calls) return { content };
  return {
    content,
    toolCalls: calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
  };
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(AIRLINE, file), 'utf8')) as T;
}
