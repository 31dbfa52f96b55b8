import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '../../src/agent/json';
import type { McpConnection, RemoteCallOptions } from '../../src/mcp/client/connection';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { defineAgent, defineTool, questionTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';

/** Orders that were refunded, in their order. */
export const refunded: number[] = [];

/** Asks before it refunds, and may ask a question. */
export const refundDesk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [
    defineTool({
      name: 'refund',
      description: 'Refunds an order',
      inputSchema: z.object({ order: z.number() }),
      needsApproval: true,
      execute: ({ order }) => {
        refunded.push(order);
        return `refunded ${order}`;
      },
    }),
    questionTool(),
  ],
});

/** A worker with the refund desk for the tests of a file; each begins without refunds. */
export function useRefundDesk(): () => Desk {
  let desk: Desk | undefined;
  beforeAll(async () => {
    desk = await openDesk([refundDesk]);
  });
  afterAll(() => desk?.close());
  beforeEach(() => {
    refunded.length = 0;
  });
  return () => {
    if (!desk) throw new Error('The desk is not open yet');
    return desk;
  };
}

/** A server that serves the refund desk to MCP clients. */
export function serveDesk({ client }: Desk, options: Partial<McpServerOptions> = {}): McpServing {
  const agents = [{ agent: 'desk', description: 'Helps with orders' }];
  return createMcpServer({ name: 'desk', version: '1', agents, client, ...options });
}

/** Capabilities of a client that asks its person. */
export const eliciting = { capabilities: { elicitation: { form: {}, url: {} } } };

/** A text that has the desk wait for a refund and for the answer to a question at once. */
export function asksTwice(desk: Desk): string {
  return desk.play([
    {
      toolCalls: [
        { id: 'c', name: 'refund', arguments: { order: 7 } },
        { id: 'q', name: 'question', arguments: { question: 'Which?', choices: ['a', 'b'] } },
      ],
    },
    { content: 'Done.' },
  ]);
}

/** What a call asked for, by what is asked. */
export interface AskedRun {
  readonly requestState: string;
  readonly runId: string;
  readonly approvalId: string;
  readonly questionId: string;
  /** What the person reads, by request. */
  readonly messages: Readonly<Record<string, string>>;
}

/** Calls the desk. It must ask. */
export async function askDesk(
  connection: McpConnection,
  input: string,
  options: RemoteCallOptions = {},
): Promise<AskedRun> {
  const round = await connection.request('desk', { input }, options);
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(JSON.stringify(round));
  const { requests, requestState } = round;
  const idOf = (field: string): string =>
    Object.entries(requests).find(([, { params }]) => JSON.stringify(params).includes(field))?.[0] ?? '';
  const messages = Object.entries(requests).map(([id, { params }]) => [id, params['message']]);
  return {
    requestState,
    runId: runIdIn(requestState),
    approvalId: idOf('"decision"'),
    questionId: idOf('"answer"'),
    messages: Object.fromEntries(messages) as Record<string, string>,
  };
}

/** A state can be read by whoever has it. */
function runIdIn(state: string): string {
  const claims: unknown = JSON.parse(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString());
  if (!isRecord(claims) || typeof claims['run'] !== 'string') throw new Error('The state is of no run');
  return claims['run'];
}

export const accept = (id: string, content: Record<string, string>) => ({
  [id]: { action: 'accept', content },
});

/** A client whose methods of these names are others. */
export function instead<Client extends object>(client: Client, others: Partial<Client>): Client {
  return new Proxy(client, {
    get: (target, name, self) =>
      (Object.hasOwn(others, name) ? Reflect.get(others, name) : Reflect.get(target, name, self)) as unknown,
  });
}

export function newKey(): string {
  return `k-${randomUUID()}`;
}
