/** What runs and conversations are started with. Any SDK can start one, so nothing is taken for granted (R30). */
import { cutText } from './cut-text';
import { HoldpointError } from './errors';
import { fitsTogether, MAX_INPUT_BYTES } from './intake';
import { isRecord, jsonSize, type Json } from './json';
import { MAX_DURATION_MS, type Limits } from './limits';
import type { Message } from './message';
import { toInputMessages, toLimits } from './new-run';
import type { ParentRef } from './run-state';
import type { AgentConversationInput } from './wire';

/** Tools and hooks see it on each call, a query reads it beside the system prompt, and each ask has one. */
export const MAX_CONTEXT_BYTES = 262_144;

/** Longest agent name and tenant, in characters. */
const MAX_NAME_LENGTH = 200;

export interface RunStart {
  readonly agent: string;
  readonly messages: readonly Message[];
  readonly context?: Json;
  readonly limits?: Limits;
  readonly tenant?: string;
  readonly parent?: ParentRef;
}

/** Reads a run's start. Throws `Holdpoint.Run.InvalidInput`. */
export function toRunStart(raw: unknown): RunStart {
  const record = toRecord(raw);
  const messages = toInputMessages(record['input']);
  if (!fitsTogether(messages))
    throw invalidInput(
      `A run starts with at most ${MAX_INPUT_BYTES} bytes of messages. Keep large values elsewhere and pass a reference.`,
    );
  const parent = toParent(record['parent']);
  return { ...sharedStart(record), messages, ...(parent && { parent }) };
}

/** Reads a conversation's start. Throws `Holdpoint.Run.InvalidInput`. */
export function toConversationStart(raw: unknown): AgentConversationInput {
  const record = toRecord(raw);
  const idleTtlMs = record['idleTtlMs'] ?? undefined;
  if (idleTtlMs !== undefined && !isDuration(idleTtlMs))
    throw invalidInput(
      `Expected \`idleTtlMs\` to be a whole number of milliseconds from 1 to ${MAX_DURATION_MS}, got ${cutText(JSON.stringify(idleTtlMs), 100)}.`,
    );
  return { ...sharedStart(record), ...(idleTtlMs !== undefined && { idleTtlMs }) };
}

function toRecord(raw: unknown): Record<string, unknown> {
  if (isRecord(raw)) return raw;
  throw invalidInput('Expected an input object {agent, …}.');
}

/** What runs and conversations share. Other SDKs write null for what is not there; as a context null is a value. */
function sharedStart(raw: Record<string, unknown>): Omit<RunStart, 'messages'> {
  const tenant = toTenant(raw['tenant'] ?? undefined);
  const context = toContext(raw['context']);
  return {
    agent: toAgentName(raw['agent']),
    limits: toLimits(raw['limits']),
    ...(context !== undefined && { context }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** Reads an agent's name. Throws `Holdpoint.Run.InvalidInput`. */
export function toAgentName(raw: unknown): string {
  if (isName(raw)) return raw;
  throw invalidInput(
    `Expected \`agent\` to be an agent's name, a string of 1 to ${MAX_NAME_LENGTH} characters.`,
  );
}

/** Reads the context of a run or an ask; `undefined` where there is none. Throws `Holdpoint.Run.InvalidInput`. */
export function toContext(raw: unknown): Json | undefined {
  const bytes = raw === undefined ? 0 : jsonSize(raw);
  if (bytes <= MAX_CONTEXT_BYTES) return raw as Json | undefined;
  throw invalidInput(
    `The context has ${bytes} bytes as JSON; at most ${MAX_CONTEXT_BYTES} are taken. Keep large values elsewhere and pass a reference.`,
  );
}

/** Only an agent sets it; a run that says so of itself takes no answers but that agent's. */
function toParent(raw: unknown): ParentRef | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (isRecord(raw)) {
    const { runId, workflowId, callId, path } = raw;
    const isPath = Array.isArray(path) && path.every(isName);
    if (typeof runId === 'string' && typeof workflowId === 'string' && typeof callId === 'string' && isPath)
      return { runId, workflowId, callId, path };
  }
  throw invalidInput('Expected `parent` to be left out: only an agent that starts a sub-agent sets it.');
}

function toTenant(raw: unknown): string | undefined {
  if (raw === undefined || isName(raw)) return raw;
  throw invalidInput(`Expected \`tenant\` to be a string of 1 to ${MAX_NAME_LENGTH} characters.`);
}

function isName(raw: unknown): raw is string {
  return typeof raw === 'string' && raw !== '' && raw.length <= MAX_NAME_LENGTH;
}

function isDuration(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= 1 && raw <= MAX_DURATION_MS;
}

function invalidInput(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', problem);
}
