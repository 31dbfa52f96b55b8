import fc from 'fast-check';
import type { Answer } from '../../src/agent/answer';
import { balanceProblem } from '../../src/agent/balance';
import { isRecord } from '../../src/agent/json';
import type { RunEvent } from '../../src/agent/event';
import type { RunResult } from '../../src/agent/result';
import { createInProcessClient } from '../../src/in-process';
import { defineAgent } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { openDesk, type Desk } from '../client/desk';
import { answerTo, answerToRest, randomScript, tools, toTurns } from './random-script';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});

afterAll(() => desk.close());

describe('One loop, two drivers', () => {
  it('R13–R28: a random script gives the same transcript, results and counts in process and as a durable run', async () => {
    await fc.assert(
      fc.asyncProperty(randomScript, async (script) => {
        const turns = toTurns(script);
        const events: RunEvent[] = [];
        const local = await runInProcess(turns, (event) => events.push(event));
        const durable = await runDurably(turns);
        expect(comparable(durable)).toEqual(comparable(local));
        expect(await durableEvents(durable.runId)).toEqual(inAnyOrder(events));
        expect(durable.status).toBe('done');
        expect(balanceProblem(durable.messages)).toBeUndefined();
        expect(durable.toolCalls).toHaveLength(script.flat().length);
      }),
      { numRuns: 25 },
    );
  }, 300_000);
});

async function durableEvents(runId: string): Promise<unknown[]> {
  const events: RunEvent[] = [];
  for await (const event of desk.client.events(runId, { follow: false })) events.push(event);
  return inAnyOrder(events);
}

/** Calls of one message run at the same time and end in any order; how long they take is each driver's own. */
function inAnyOrder(events: readonly RunEvent[]): string[] {
  const told = events.map((event) => {
    switch (event.type) {
      case 'tool':
        return [event.callId, event.isError, event.pending];
      case 'request':
        return [event.kind, event.callIds];
      case 'answer':
        return [event.ok, event.resolved];
      case 'model':
        return [event.finishReason];
      case 'run':
        return [event.status];
    }
  });
  return events.map(({ type, turn }, n) => JSON.stringify([turn, type, told[n]])).sort();
}

async function runInProcess(
  turns: readonly ScriptedTurn[],
  onEvent: (event: RunEvent) => void,
): Promise<RunResult> {
  const client = createInProcessClient({
    modelName: 'scripted',
    onEvent,
    generate: ({ messages }) => {
      const turn = turns[messages.filter((message) => message.role === 'assistant').length];
      if (!isRecord(turn)) throw new Error('The script has no such turn');
      const { content, toolCalls } = turn as {
        content?: string;
        toolCalls?: { id: string; name: string; arguments: string }[];
      };
      return { ...(content !== undefined && { content }), ...(toolCalls && { toolCalls }) };
    },
  });
  const first = await client.run('go', tools);
  return settle(first, (halted, answer) => client.runWithAnswer(halted, answer, { toolkit: tools }));
}

async function runDurably(turns: readonly ScriptedTurn[]): Promise<RunResult> {
  const { client } = desk;
  const first = await client.run('desk', desk.play(turns));
  return settle(first, (halted, answer) => client.runWithAnswer(halted.runId, answer));
}

/** Answers the first open request until none is left. */
async function settle(
  first: RunResult,
  answer: (halted: RunResult, answer: Answer) => Promise<RunResult>,
): Promise<RunResult> {
  let result = first;
  const answered = new Map<string, Set<string>>();
  while (result.pending) {
    const { pending, receipts = [] } = result;
    const done = answered.get(pending.id) ?? new Set<string>();
    const next = done.size === 0 ? answerTo(pending) : answerToRest(pending, done);
    result = await answer(result, next);
    const receipt = (result.receipts ?? receipts).findLast((entry) => entry.requestId === pending.id);
    answered.set(pending.id, new Set([...done, ...(receipt?.settled ?? [])]));
  }
  return result;
}

/** Everything but ids that derive from the run, and the text that started it. */
function comparable(result: RunResult): unknown {
  const { messages, toolCalls, status, text, turns, toolCallCount, receipts = [] } = result;
  return {
    messages: messages.slice(1),
    toolCalls,
    status,
    text,
    turns,
    toolCallCount,
    receipts: receipts.map(({ ok, resolved, settled, open }) => ({ ok, resolved, settled, open })),
  };
}
