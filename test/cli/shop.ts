import { z } from 'zod';
import type { Agent } from '../../src/agent/agent';
import type { JsonObject } from '../../src/agent/json';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, defineTool, pending, relayTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';

/** An agent with a tool of each way to wait, and one that does not. */
export function shopAgent(): Agent {
  const refund = defineTool({
    name: 'refund',
    description: 'Pays money back.',
    hints: { destructive: true },
    needsApproval: true,
    execute: (input) => `paid ${JSON.stringify(input)}`,
  });
  const repay = defineTool({
    name: 'repay',
    description: 'Pays exact cents back.',
    inputSchema: z.object({ cents: z.number() }),
    needsApproval: true,
    execute: ({ cents }) => `repaid ${cents}`,
  });
  const wire = defineTool({
    name: 'wire',
    description: 'Sends much money.',
    needsApproval: true,
    quorum: 2,
    execute: () => 'sent',
  });
  const survey = defineTool({
    name: 'survey',
    description: 'Asks the customer.',
    execute: (_, { answer }) =>
      answer ? JSON.stringify(answer.data ?? null) : pending({ kind: 'question', prompt: 'How was it?' }),
  });
  const look = defineTool({ name: 'look', description: 'Looks around.', execute: () => 'nothing here' });
  const stock = relayTool({ name: 'stock', description: 'Units in stock' });
  return defineAgent({ name: 'shop', model: 'scripted', tools: [refund, repay, wire, survey, look, stock] });
}

export function openShop(): Promise<Desk> {
  return openDesk([shopAgent()]);
}

/** A turn that calls tools, `[name, id, arguments]` each. */
export function turn(
  ...calls: readonly (readonly [name: string, id: string, args?: JsonObject])[]
): ScriptedTurn {
  return { toolCalls: calls.map(([name, id, args = {}]) => ({ id, name, arguments: args })) };
}

export const REFUND = turn(['refund', 'c1', { order: '1047', cents: 8990 }]);
