import { HoldpointError } from '../agent/errors';
import { MAX_INPUT_BYTES } from '../agent/intake';
import { isRecord, jsonSize, type Json } from '../agent/json';
import { limitsProblem, type Limits } from '../agent/limits';
import type { Message, UserMessage } from '../agent/message';
import { toContext } from '../agent/start-input';
import { isTenantName } from '../agent/tenant';
import { tenantOf, type Scope } from './ids';
import { otherScope } from './scope';
import { toPlainJson } from './plain-json';
import type { AgentRef } from './options';

const ROLES = ['user', 'assistant', 'tool'];

export function agentName(agent: AgentRef): string {
  const name: unknown = typeof agent === 'string' ? agent : isRecord(agent) ? agent['name'] : undefined;
  if (typeof name === 'string' && name !== '') return name;
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    'Expected `agent` to be the name of an agent, or an agent made by `defineAgent`.',
  );
}

/** A text, or a transcript to go on from. */
export function checkInput(input: unknown): string | readonly Message[] {
  const messages = typeof input === 'string' || (Array.isArray(input) && input.every(isMessage));
  if (!messages || (input.length === 0 && typeof input !== 'string'))
    throw invalid('Expected the input to be a text or a list of user, assistant and tool messages.');
  return checkSize(toPlainJson(input, 'input', 'Holdpoint.Run.InvalidInput'), 'The input') as
    string | readonly Message[];
}

/** A user's text, or a user's message. */
export function checkUserInput(text: unknown): string | UserMessage {
  const isUser = typeof text === 'string' || (isMessage(text) && text.role === 'user');
  if (!isUser) throw invalid("Expected a text or a message {role: 'user', content}.");
  return checkSize(toPlainJson(text, 'text', 'Holdpoint.Run.InvalidInput'), 'The message') as
    string | UserMessage;
}

export function checkContext(context: unknown): Json | undefined {
  return toContext(toPlainJson(context, 'context', 'Holdpoint.Run.InvalidInput'));
}

export function checkLimits(limits: Limits | undefined): Limits | undefined {
  const problem =
    limits === undefined
      ? undefined
      : isRecord(limits)
        ? limitsProblem(limits)
        : 'Expected `limits` to be an object.';
  if (problem === undefined) return limits;
  throw new HoldpointError('Holdpoint.Client.InvalidOptions', problem);
}

/**
 * Whose the run is: the client's own tenant. Ids of a tenant's runs carry its name in front, so that a run which a
 * client for all of them started with a tenant's name, but without that, would be reached by no client of the tenant.
 */
export function checkTenant(tenant: unknown, scope: Scope | undefined): string | undefined {
  const own = tenantOf(scope);
  if (tenant === undefined || (scope && tenant === own)) return own;
  if (scope) throw otherScope();
  const name = isTenantName(tenant) ? JSON.stringify(tenant) : 'tenant';
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `A run of a tenant is started by the tenant's client, which alone reaches it by the same id. Use \`client.forTenant(${name})\` in place of the option \`tenant\`.`,
  );
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && ROLES.includes(String(value['role'])) && value['content'] !== undefined;
}

function checkSize<T extends Json | undefined>(value: T, what: string): T {
  const bytes = value === undefined ? 0 : jsonSize(value);
  if (bytes <= MAX_INPUT_BYTES) return value;
  throw invalid(
    `${what} has ${bytes} bytes as JSON; at most ${MAX_INPUT_BYTES} are taken. Keep large values elsewhere and pass a reference.`,
    { bytes },
  );
}

function invalid(message: string, data = {}): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', message, data);
}
