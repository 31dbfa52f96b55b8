import { defineAgent, defineTool } from '../../src/tools';
import type { ToolContext } from '../../src/agent/tool';
import { inWorkerProcess, tell } from '../support/tell';

/** In the worker process that is to be killed a tool never ends; in the one that takes over it ends at once. */
async function execute(name: string, { runId = '', attempt, idempotencyKey = '', answer }: ToolContext) {
  await tell(`${name} of ${runId}`);
  if (inWorkerProcess) await new Promise<never>(() => undefined);
  return JSON.stringify({ attempt, idempotencyKey, resumed: answer !== undefined });
}

const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: name, execute: (_args, ctx) => execute(name, ctx), ...more });

export const agents = [
  defineAgent({
    name: 'desk',
    model: 'scripted',
    tools: [
      tool('plain'),
      tool('read', { hints: { readOnly: true } }),
      tool('repeat', { hints: { idempotent: true, destructive: true } }),
      tool('destroy', { hints: { destructive: true } }),
      tool('approved', { needsApproval: true }),
      tool('told_to_retry', { hints: { destructive: true }, onUnknownOutcome: 'retry' }),
      tool('told_to_report', { hints: { destructive: true }, onUnknownOutcome: 'report' }),
      tool('told_to_ask', { onUnknownOutcome: 'ask' }),
    ],
  }),
];
