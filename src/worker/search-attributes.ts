import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { errorMessage, HoldpointError } from '../agent/errors';
import { SEARCH_ATTRIBUTES } from '../agent/wire';

const TYPES: Readonly<Record<string, SearchAttributeType>> = {
  [SEARCH_ATTRIBUTES.agent]: SearchAttributeType.KEYWORD,
  [SEARCH_ATTRIBUTES.status]: SearchAttributeType.KEYWORD,
  [SEARCH_ATTRIBUTES.waitingFor]: SearchAttributeType.KEYWORD_LIST,
  [SEARCH_ATTRIBUTES.tenant]: SearchAttributeType.KEYWORD,
  [SEARCH_ATTRIBUTES.deadline]: SearchAttributeType.DATETIME,
};

/** How long the server may take until an attribute that was added can be used. */
const VISIBLE_WITHIN_MS = 30_000;
const REQUEST_TIMEOUT_MS = 10_000;

/** gRPC status codes on the wire. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const UNIMPLEMENTED = 12;

/** What was there and what was added, by name. */
export interface EnsuredAttributes {
  readonly present: readonly string[];
  readonly added: readonly string[];
}

/**
 * Makes sure that the namespace has the search attributes that runs set, adding those it lacks. A run that
 * sets an attribute that does not exist fails its task for ever, so a worker must not start without them.
 *
 * Throws `Holdpoint.Worker.MissingSearchAttributes`, which says what to do.
 */
export async function ensureSearchAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<EnsuredAttributes> {
  const absent = await missingAttributes(connection, namespace);
  if (absent === 'cannot tell') return addOneByOne(connection, namespace);
  const present = Object.keys(TYPES).filter((name) => !absent.includes(name));
  if (absent.length === 0) return { present, added: [] };
  try {
    await add(connection, namespace, absent);
  } catch (cause) {
    // Two workers that start at once both find them missing, and one of them comes second.
    const now = await missingAttributes(connection, namespace);
    const still = now === 'cannot tell' ? absent : now;
    if (still.length > 0)
      throw missing(namespace, still, `could not be added (${errorMessage(cause)})`, cause);
  }
  await waitUntilUsable(connection, namespace);
  return { present, added: absent };
}

async function add(connection: ConnectionLike, namespace: string, names: readonly string[]): Promise<void> {
  await connection.withDeadline(Date.now() + REQUEST_TIMEOUT_MS, () =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(names.flatMap(toEntry)),
    }),
  );
}

/** In one request the first that is there would keep the others out. They can be used at once on such a server. */
async function addOneByOne(connection: ConnectionLike, namespace: string): Promise<EnsuredAttributes> {
  const present: string[] = [];
  const added: string[] = [];
  for (const name of Object.keys(TYPES)) {
    try {
      await add(connection, namespace, [name]);
      added.push(name);
    } catch (cause) {
      if (codeOf(cause) !== ALREADY_EXISTS)
        throw missing(namespace, [name], `could not be added (${errorMessage(cause)})`, cause);
      present.push(name);
    }
  }
  return { present, added };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** `cannot tell`: a server that has no such request, as the time-skipping one for tests. */
async function missingAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<string[] | 'cannot tell'> {
  const names = Object.keys(TYPES);
  let known: Readonly<Record<string, unknown>>;
  try {
    known = await listAttributes(connection, namespace);
  } catch (cause) {
    if (codeOf(cause) === UNIMPLEMENTED) return 'cannot tell';
    // An account may be kept from listing them and still use them.
    if (await areUsable(connection, namespace)) return [];
    throw missing(namespace, names, `could not be listed (${errorMessage(cause)})`, cause);
  }
  const wrong = names.filter((name) => known[name] !== undefined && known[name] !== encodedType(name));
  if (wrong.length > 0)
    throw missing(namespace, wrong, `exist with another type than ${wrong.map(typeOf).join(', ')}`);
  return names.filter((name) => known[name] === undefined);
}

/**
 * Whoever calls has seen that the namespace is there. A part of the server that has not heard of a new one yet does
 * so within seconds.
 */
async function listAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<Readonly<Record<string, unknown>>> {
  const deadline = Date.now() + VISIBLE_WITHIN_MS;
  for (;;) {
    try {
      const { customAttributes } = await connection.withDeadline(Date.now() + REQUEST_TIMEOUT_MS, () =>
        connection.operatorService.listSearchAttributes({ namespace }),
      );
      return customAttributes ?? {};
    } catch (cause) {
      if (codeOf(cause) !== NOT_FOUND || Date.now() > deadline) throw cause;
      await delay(200);
    }
  }
}

async function waitUntilUsable(connection: ConnectionLike, namespace: string): Promise<void> {
  const deadline = Date.now() + VISIBLE_WITHIN_MS;
  while (!(await areUsable(connection, namespace))) {
    if (Date.now() > deadline)
      throw missing(namespace, Object.keys(TYPES), 'were added but cannot be used yet');
    await delay(200);
  }
}

/** A query that names an attribute is refused until every part of the server knows of it. */
async function areUsable(connection: ConnectionLike, namespace: string): Promise<boolean> {
  const query = Object.keys(TYPES)
    .map((name) => `${name} IS NOT NULL`)
    .join(' AND ');
  try {
    await connection.withDeadline(Date.now() + REQUEST_TIMEOUT_MS, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query }),
    );
    return true;
  } catch {
    return false;
  }
}

function encodedType(name: string): ReturnType<typeof encodeSearchAttributeIndexedValueType> {
  return encodeSearchAttributeIndexedValueType(TYPES[name]);
}

function toEntry(name: string) {
  const type = encodedType(name);
  return type === undefined ? [] : [[name, type] as const];
}

function typeOf(name: string): string {
  return `${name}: ${TYPES[name] ?? ''}`;
}

function missing(namespace: string, names: readonly string[], what: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Worker.MissingSearchAttributes',
    `Search attributes ${names.join(', ')} of namespace "${namespace}" ${what}. Run \`holdpoint setup\` with an account that may add them (types: ${names.map(typeOf).join(', ')}), or start worker and client with \`searchAttributes: 'none'\`: lists of runs are then empty.`,
    { namespace, names: [...names] },
    { cause },
  );
}
