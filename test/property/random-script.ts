import fc from 'fast-check';
import type { Answer } from '../../src/agent/answer';
import type { JsonObject } from '../../src/agent/json';
import { isRelayRequest, relayAnswer, relayCallsOf } from '../../src/agent/relay';
import type { Request } from '../../src/agent/request';
import { errorResult, okResult } from '../../src/agent/tool';
import type { ScriptedToolCall, ScriptedTurn } from '../../src/testing';
import { defineTool, pending, relayTool } from '../../src/tools';

/** What one call of a random script does, and what its host decides. */
interface RandomCall {
  readonly tool: 'work' | 'alone' | 'ask' | 'click' | 'pay' | 'order' | 'nowhere';
  readonly how: 'plain' | 'error' | 'throw' | 'again' | 'malformed';
  readonly host: 'ok' | 'error' | 'decline' | 'edit' | 'output';
  readonly id: 'own' | 'same' | 'empty';
}

/** Turns of calls; a last turn without calls always follows. */
export type RandomScript = readonly (readonly RandomCall[])[];

const call: fc.Arbitrary<RandomCall> = fc.record({
  tool: fc.constantFrom('work', 'alone', 'ask', 'click', 'pay', 'order', 'nowhere'),
  how: fc.constantFrom('plain', 'plain', 'error', 'throw', 'again', 'malformed'),
  host: fc.constantFrom('ok', 'ok', 'error', 'decline', 'edit', 'output'),
  id: fc.constantFrom('own', 'own', 'own', 'same', 'empty'),
});

export const randomScript: fc.Arbitrary<RandomScript> = fc.array(
  fc.array(call, { minLength: 1, maxLength: 4 }),
  {
    maxLength: 3,
  },
);

const inputSchema = {
  type: 'object',
  properties: { how: { type: 'string' }, host: { type: 'string' } },
} as const;

/** Tools whose behaviour stands in their arguments, so that both drivers meet the same. */
export const tools = [
  defineTool({ name: 'work', description: 'Runs', inputSchema, execute: (args) => work(args) }),
  defineTool({
    name: 'alone',
    description: 'Runs alone',
    inputSchema,
    exclusive: true,
    execute: (args) => work(args),
  }),
  defineTool({
    name: 'ask',
    description: 'Suspends',
    inputSchema,
    execute: (args, { answer }) => {
      const suspends = !answer || args['how'] === 'again';
      return suspends
        ? pending({ kind: 'question', prompt: `Question ${JSON.stringify(args['host'])}`, data: { ...args } })
        : okResult('answered');
    },
  }),
  relayTool({ name: 'click', description: 'A host executes it', inputSchema }),
  defineTool({
    name: 'pay',
    description: 'Needs approval',
    inputSchema,
    needsApproval: true,
    execute: (args) => work(args),
  }),
  relayTool({
    name: 'order',
    description: 'A host executes it, once approved',
    inputSchema,
    needsApproval: true,
  }),
];

function work(args: JsonObject) {
  if (args['how'] === 'throw') throw new Error('It broke');
  return args['how'] === 'error' ? errorResult('It failed') : okResult('It worked', { seen: true });
}

export function toTurns(script: RandomScript): ScriptedTurn[] {
  const turns = script.map((calls, turn): ScriptedTurn => ({
    toolCalls: calls.map((entry, index) => toCall(entry, turn, index)),
  }));
  return [...turns, { content: `said after ${script.length}` }];
}

function toCall({ tool, how, host, id }: RandomCall, turn: number, index: number): ScriptedToolCall {
  const ids = { own: `c${turn}-${index}`, same: 'same', empty: '' };
  return {
    id: ids[id],
    name: tool,
    arguments: how === 'malformed' ? '{"how": ' : JSON.stringify({ how, host }),
  };
}

/** The host's answer, a function of the request alone: both drivers' hosts decide alike. */
export function answerTo(request: Request): Answer {
  const calls = relayCallsOf(request);
  if (isRelayRequest(request)) {
    if (calls.every((entry) => entry.input['host'] === 'decline'))
      return { id: request.id, ok: false, reason: 'no' };
    // One of several first: the rest of the request stays open.
    return relayAnswer(
      request.id,
      calls.slice(0, 1).map(({ id, input }) => ({
        id,
        output: `host ${JSON.stringify(input['host'])}`,
        isError: input['host'] === 'error',
      })),
    );
  }
  const { input, host } = (request.data ?? {}) as { input?: JsonObject; host?: string };
  switch (input?.['host'] ?? host) {
    case 'decline':
      return { id: request.id, ok: false, reason: 'not now' };
    case 'edit':
      return {
        id: request.id,
        ok: true,
        ...(input && { data: { input: { ...input, host: 'ok', edited: true } } }),
      };
    case 'output':
      return { id: request.id, ok: true, ...(input && { data: { output: 'done by hand' } }) };
    default:
      return { id: request.id, ok: true };
  }
}

/** The answer to the next calls of a relay request that an earlier one left open. */
export function answerToRest(request: Request, done: ReadonlySet<string>): Answer {
  const rest = relayCallsOf(request).filter((entry) => !done.has(entry.id));
  return relayAnswer(
    request.id,
    rest.map(({ id }) => ({ id, output: 'host rest' })),
  );
}
