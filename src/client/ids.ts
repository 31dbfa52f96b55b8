import { randomUUID } from 'node:crypto';
import { cutText } from '../agent/cut-text';
import { HoldpointError } from '../agent/errors';
import { innerId } from '../agent/tenant';
import { visibleJson, visibleLine } from '../agent/visible-text';
import { CONVERSATION_PREFIX } from '../agent/wire';

/** Characters, and bytes in UTF-8: the server counts bytes, and with PostgreSQL it takes 255 of them. */
const MAX_ID_LENGTH = 200;
/** Bytes of a workflow id in all: a tenant's ids are longer inside. */
const MAX_WORKFLOW_ID = 250;
/** What ends a conversation's id before its ask's number, and what no database or message can hold. */
const NOT_IN_IDS = /[/\p{Cc}\p{Cs}]/u;
/** What no path of a URL can hold, and what a sub-agent's run is called below a run that is named like a tenant. */
const RESERVED = /^(?:\.\.?|agent-\d+-\d+)$/;
/** Of a generated run id: enough of the agent's name to recognise it in a list. */
const MAX_NAME_IN_ID = 40;

/** Whose runs a client reaches: a tenant's, or with `null` those that have none. */
export interface Scope {
  readonly tenant: string | null;
}

/** The workflow that a run or a conversation lives in. All ids as they are inside. */
export interface Target {
  readonly workflowId: string;
  /** No run that the client reaches can be called so. */
  readonly foreign?: true;
  /** Absent for a whole conversation. */
  readonly runId?: string;
  readonly conversationId?: string;
  /** The number of the ask within its conversation, from 1. */
  readonly ask?: number;
}

export type RunTarget = Target & { readonly runId: string };

export type ConversationTarget = Target & { readonly conversationId: string };

/** Refuses an id that a caller made up and that could be taken for another's (design, "Ids, lists, sizes"). */
export function checkNewId(name: 'runId' | 'conversationId', id: unknown, scope?: Scope): string {
  const max = maxIdLength(scope);
  if (
    typeof id === 'string' &&
    id !== '' &&
    Buffer.byteLength(id) <= max &&
    !NOT_IN_IDS.test(id) &&
    !RESERVED.test(id)
  )
    return id;
  const got = typeof id === 'string' ? visibleJson(cutText(id, MAX_ID_LENGTH)) : typeof id;
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `Expected \`${name}\` to be a string of 1 to ${max} characters without "/" and control characters, ${max} bytes in UTF-8 at most, and not ., .. or agent-1-0, got ${got}.`,
  );
}

function maxIdLength(scope: Scope | undefined): number {
  const prefix = `${CONVERSATION_PREFIX}${innerId('', tenantOf(scope))}`;
  return Math.min(MAX_ID_LENGTH, MAX_WORKFLOW_ID - prefix.length);
}

/** The tenant that ids carry in front. */
export function tenantOf(scope: Scope | undefined): string | undefined {
  return scope?.tenant ?? undefined;
}

/** A run id that nothing has used: the agent's name, as far as it is readable, and a UUID. */
export function newRunId(agent: string): string {
  const name = agent.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, MAX_NAME_IN_ID);
  return `${name}-${randomUUID()}`;
}

/** `<conversationId>/<n>` is the n-th ask of a conversation; any other id is a run's own. */
export function runTarget(runId: unknown, scope?: Scope): RunTarget {
  if (typeof runId !== 'string' || runId === '')
    throw new HoldpointError('Holdpoint.Client.InvalidOptions', 'Expected `runId` to be a non-empty string.');
  const inner = innerId(runId, tenantOf(scope));
  const match = /^(.+)\/(\d+)$/.exec(runId);
  if (!match) return { workflowId: inner, runId: inner, ...foreign(runId, scope) };
  return { ...conversationTarget(match[1], scope), runId: inner, ask: Number(match[2]) };
}

export function conversationTarget(conversationId: unknown, scope?: Scope): ConversationTarget {
  if (typeof conversationId !== 'string' || conversationId === '')
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      'Expected `conversationId` to be a non-empty string.',
    );
  const inner = innerId(conversationId, tenantOf(scope));
  return {
    workflowId: `${CONVERSATION_PREFIX}${inner}`,
    conversationId: inner,
    ...foreign(conversationId, scope),
  };
}

/** An ask of a conversation by its id as it is inside. */
export function askTarget(target: ConversationTarget, runId: string): RunTarget {
  return { ...target, runId, ask: askNumber(runId, target.conversationId) ?? 0 };
}

/** A tenant's own ids have no slash; neither have those without a tenant. */
function foreign(id: string, scope: Scope | undefined): { readonly foreign?: true } {
  return scope && (id.includes('/') || RESERVED.test(id)) ? { foreign: true } : {};
}

/** The number of an ask, where the run id is one of this conversation's. */
export function askNumber(runId: string, conversationId: string): number | undefined {
  const rest = runId.startsWith(`${conversationId}/`) ? runId.slice(conversationId.length + 1) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

/** How a target is called in messages. */
export function nameOf(target: Target): string {
  return target.runId !== undefined
    ? `Run "${shownId(target.runId)}"`
    : `Conversation "${shownId(target.conversationId ?? '')}"`;
}

/** An id in a message: it may come from anywhere, and must not write a log's next line or hide what it is. */
export function shownId(id: string): string {
  return visibleLine(cutText(id, MAX_WORKFLOW_ID));
}
