import { randomUUID } from 'node:crypto';
import type { Agent } from '../../agent/agent';
import { HoldpointError } from '../../agent/errors';
import { isRecord, type JsonObject } from '../../agent/json';
import type { HoldpointClient } from '../../client/holdpoint-client';
import { digestOf } from './digest';
import { keyReused } from './agent-result';
import { follow } from './follow-run';
import { goOn } from './go-on';
import type { McpPrincipal } from './options';
import type { CallIdentity } from './request-state';
import { aboutOf, failure, type ServedTool } from './serve-call';

/** An agent that is served as a tool: a call of it is a run. */
export interface ServedAgent {
  /** As registered with the workers; given whole, its output schema is published. */
  readonly agent: string | Agent;
  /** What a client reads to choose it. */
  readonly description: string;
  readonly title?: string;
  /** Default: the agent's name. */
  readonly name?: string;
}

/** Gives the client whose runs a caller reaches. */
export type ClientFor = (principal: McpPrincipal | undefined) => HoldpointClient;

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', minLength: 1, description: 'What the agent is to do' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * An agent as a tool. With an idempotency key the run outlives the connection and a retry finds it; without one it
 * is cancelled when its call is, until there is a state to go on with it: then it waits for whoever has that.
 */
export function servedAgent(served: ServedAgent, clientFor: ClientFor): ServedTool {
  const agent = typeof served.agent === 'string' ? served.agent : served.agent.name;
  const outputSchema = typeof served.agent === 'string' ? undefined : served.agent.outputSchema;
  const { name = agent, description, title } = served;
  return {
    declaration: {
      name,
      description,
      ...(title !== undefined && { title }),
      inputSchema: INPUT_SCHEMA,
      ...(outputSchema && { outputSchema }),
      annotations: {},
      icons: [],
      meta: {},
    },
    requiredClientCapabilities: [],
    async serve(call, rules) {
      const client = clientFor(call.principal);
      const about = aboutOf(name, call, rules);
      if (call.requestState !== undefined) return goOn(client, about, call, call.requestState, rules);
      const { input, ...others } = isRecord(call.arguments) ? call.arguments : {};
      if (typeof input !== 'string' || input === '' || Object.keys(others).length > 0)
        return failure(
          `Invalid arguments for ${name}: expected \`input\`, a text that is not empty, and nothing else.`,
        );
      const key = call.idempotencyKey;
      const runId = key === undefined ? `mcp-${randomUUID()}` : runIdOf(about, key);
      try {
        await client.start(agent, input, { runId });
      } catch (error) {
        if (!(error instanceof HoldpointError) || error.type !== 'Holdpoint.Run.AlreadyExists') throw error;
        return keyReused('input');
      }
      return follow({ client, runId, about, call, rules }, { round: 0, owned: key === undefined });
    },
  };
}

/** The same caller, tool and key are the same run; the input is compared where it is started. */
function runIdOf({ tool, principal }: CallIdentity, key: string): string {
  return `mcp-${digestOf(JSON.stringify([principal, tool, key]))}`;
}
