import { z } from 'zod';
import type { ToolContext } from '../../src/agent/tool';
import { handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { mcpTools } from '../../src/mcp/run/mcp-tools';
import { defineAgent } from '../../src/tools';
import { newGate, openDesk, type Desk } from '../client/desk';
import { in2026, rawServer, type Send } from './raw-server';

let desk: Desk | undefined;
afterEach(() => desk?.close());

/** Follows a run of one call, as a tenant's client does, until it has reported twice; then `end` lets it end. */
async function told(name: string, end: () => void): Promise<unknown[]> {
  const client = desk?.client.forTenant('acme');
  const turns = [{ toolCalls: [{ id: 'c', name, arguments: {} }] }, { content: 'Done.' }];
  const { runId = '' } = (await client?.start('desk', desk?.play(turns) ?? '')) ?? {};
  const reports: unknown[] = [];
  for await (const event of client?.events(runId, { progress: true }) ?? []) {
    if (event.type !== 'progress') continue;
    expect(event.runId).toBe(runId);
    reports.push([event.tool, event.callId, event.progress, event.total, event.message]);
    end();
  }
  return reports;
}

test('R44: what a remote tool reports is told by the run that called it', async () => {
  let finish: () => void = () => undefined;
  const report = (send: Send, progressToken: unknown): void =>
    send({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 4, message: 'one' },
    });
  const transport = rawServer(
    in2026(({ id, method, params }, { send }) => {
      if (method !== 'tools/call') return undefined;
      const { progressToken } = params['_meta'] as { progressToken?: number };
      report(send, progressToken);
      finish = () => send({ id, result: { resultType: 'complete', content: [] } });
      return 'handled';
    }),
  );
  const toolset = await mcpTools({ name: 'raw', transport });
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: toolset.tools })]);
  expect(await told('raw__act', () => finish())).toEqual([['raw__act', 'c', 1, 4, 'one']]);
  await toolset.close();
});

test('R44: and so is what a typed tool reports, while it tells more than before', async () => {
  const gate = newGate();
  const act = handleCall<object, null, ToolContext>(
    define('act', z.object({}), z.null()),
    async ({ reportProgress }) => {
      reportProgress(2, 4, 'half');
      reportProgress(1, 4, 'less');
      await gate.open;
      return ok(complete(null));
    },
  );
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: agentTools(act) })]);
  expect(await told('act', gate.unlock)).toEqual([['act', 'c', 2, 4, 'half']]);
});
