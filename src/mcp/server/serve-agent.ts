import { createHash, randomUUID } from 'node:crypto';
import type { Agent } from '../../agent/agent';
import type { Answer } from '../../agent/answer';
import { HoldpointError } from '../../agent/errors';
import { isRecord, type Json, type JsonObject } from '../../agent/json';
import type { Request } from '../../agent/request';
import type { PendingResult, RunResult } from '../../agent/result';
import type { HoldpointClient } from '../../client/holdpoint-client';
import type { ToolCallResult } from '../bound-tool';
import { textContent } from '../content';
import { offerTo } from '../capabilities';
import type { InputRequest } from '../input-request';
import { toElicitation, toAnswer } from './elicit-request';
import { responsesTo } from './input-responses';
import type { McpPrincipal } from './options';
import type { CallIdentity } from './request-state';
import {
  aboutOf,
  failure,
  invalidState,
  verified,
  type AdmittedCall,
  type CallRules,
  type ServedCall,
  type ServedTool,
} from './serve-call';

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

/** Where a result says which run it is of. */
const RUN_ID_KEY = 'dev.holdpoint/run-id';

/** How long a call waits for its run, in milliseconds. */
const RUN_WAIT_MS = 10 * 60_000;

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', minLength: 1, description: 'What the agent is to do' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * An agent as a tool. With an idempotency key the run outlives the connection and a retry finds it; without one it
 * is cancelled when its call is, until it has asked for input: then it waits for whoever has the state.
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
      const about = aboutOf(name, call);
      if (call.requestState !== undefined) return goOn(client, about, call, call.requestState, rules);
      const input = isRecord(call.arguments) ? call.arguments['input'] : undefined;
      if (typeof input !== 'string' || input === '')
        return failure(`Invalid arguments for ${name}: expected \`input\`, a text that is not empty.`);
      const key = call.idempotencyKey;
      const runId = key === undefined ? `mcp-${randomUUID()}` : runIdOf(about, key);
      try {
        await client.start(agent, input, { runId });
      } catch (error) {
        if (!(error instanceof HoldpointError) || error.type !== 'Holdpoint.Run.AlreadyExists') throw error;
        return structuredFailure({
          error: 'key_reused',
          message: 'This idempotency key came with other input.',
        });
      }
      return follow(client, runId, about, 0, call, rules, key === undefined);
    },
  };
}

/** The same caller, tool and key are the same run; the input is compared where it is started. */
function runIdOf({ tool, principal }: CallIdentity, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([principal, tool, key]))
    .digest('base64url');
  return `mcp-${digest}`;
}

/** Goes on with a run that asked: each response answers its request, once. */
async function goOn(
  client: HoldpointClient,
  about: CallIdentity,
  call: AdmittedCall,
  state: string,
  rules: CallRules,
): Promise<ServedCall> {
  const { round, requests, runId } = await verified(rules, state, about);
  // What they may do may have been taken from them since.
  if (runId === undefined || call.principal?.mayAnswer === false) throw invalidState();
  const responses = responsesTo(requests, call.inputResponses);
  const view = await client.get(runId);
  const open = (view.requests ?? []).filter(({ id }) => Object.hasOwn(requests, id));
  // Whoever used the state before has answered them. Where others have answered some, what is said to the rest counts.
  if (open.length === 0) throw invalidState();
  if (!responses) return ask(runId, requests, { about, round }, rules);
  const answers = open.flatMap((request) => answerTo(request, responses[request.id], call.principal));
  const outcomes = await client.answerAll(runId, answers);
  for (const outcome of outcomes) {
    if (outcome.ok) continue;
    rules.report(outcome.error);
    if (outcome.error.type !== 'Holdpoint.Answer.AlreadyAnswered') return failure(outcome.error.message);
  }
  if (answers.length > 0 && !outcomes.some(({ ok }) => ok)) throw invalidState();
  const putOff = open.filter(({ id }) => !answers.some((answer) => answer.id === id));
  if (putOff.length > 0) return awaiting(runId, putOff);
  return follow(client, runId, about, round, call, rules, false);
}

function answerTo(
  request: Request,
  response: Json | undefined,
  principal: McpPrincipal | undefined,
): Answer[] {
  const answer = response === undefined ? undefined : toAnswer(request, response);
  if (!answer) return [];
  const by = principal && { by: principal.id };
  return [{ ...answer, ...by, answerId: randomUUID(), channel: 'mcp' }];
}

/** Waits for the run, and gives what it came to or what it asks for. */
async function follow(
  client: HoldpointClient,
  runId: string,
  about: CallIdentity,
  round: number,
  call: AdmittedCall,
  rules: CallRules,
  owned: boolean,
): Promise<ServedCall> {
  let result: RunResult;
  try {
    result = await client.waitForHalt(runId, { signal: call.signal, waitMs: RUN_WAIT_MS });
  } catch (error) {
    if (owned && call.signal.aborted) await client.cancel(runId).catch(rules.report);
    if (error instanceof HoldpointError && error.type === 'Holdpoint.Client.WaitTimedOut')
      return structuredFailure({ error: 'still_running', runId });
    throw error;
  }
  if (result.status !== 'pending') return { kind: 'result', result: toCallResult(result) };
  if (call.principal?.mayAnswer === false) return awaiting(runId, result.requests);
  const offer = offerTo(elicitations(result), call.capabilities);
  if (!offer.ok || Object.keys(offer.requests).length === 0) return awaiting(runId, result.requests);
  return ask(runId, offer.requests, { about, round: round + 1 }, rules);
}

function elicitations({ requests }: PendingResult): Record<string, InputRequest> {
  return Object.fromEntries(
    requests.flatMap((request) => {
      const asked = toElicitation(request);
      return asked ? [[request.id, asked]] : [];
    }),
  );
}

async function ask(
  runId: string,
  requests: Readonly<Record<string, InputRequest>>,
  { about, round }: { readonly about: CallIdentity; readonly round: number },
  { states }: CallRules,
): Promise<ServedCall> {
  const requestState = await states.sign({ ...about, round, requests, runId });
  return { kind: 'input', requests, requestState };
}

/** Nobody at this client can be asked: the run waits, and is answered by the API or in the inbox. */
function awaiting(runId: string, requests: readonly Request[]): ServedCall {
  const open = requests.map(({ id, kind, prompt, url, data, expiresAt }) => ({
    id,
    kind,
    prompt,
    ...(url !== undefined && { url }),
    ...(data && { data }),
    ...(expiresAt !== undefined && { expiresAt }),
  }));
  return structuredFailure({ error: 'awaiting_input', runId, requests: open });
}

function structuredFailure(value: JsonObject): ServedCall {
  return {
    kind: 'result',
    result: { content: [textContent(JSON.stringify(value))], structuredContent: value, isError: true },
  };
}

function toCallResult(result: Exclude<RunResult, PendingResult>): ToolCallResult {
  const { runId, status, text, output } = result;
  const block = (told: string) => [{ ...textContent(told), _meta: { [RUN_ID_KEY]: runId } }];
  if (status === 'done')
    return {
      content: block(output === undefined ? text : JSON.stringify(output)),
      ...(output !== undefined && { structuredContent: output }),
    };
  const why =
    status === 'failed'
      ? result.error.message
      : status === 'incomplete'
        ? `limit ${result.limit}`
        : 'cancelled';
  return { content: block(`The run ended as ${status}: ${why}`), isError: true };
}
