import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { HoldpointError } from '../agent/errors';
import { MAX_SEARCH_VALUE, toSearchValue } from '../agent/search-value';
import { MEMO_KEY, SEARCH_ATTRIBUTES, type RunMemo } from '../agent/wire';
import type { ClientContext } from './client-context';
import { grpcErrorOf, GRPC } from './rpc-failure';

const AGENT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.agent, 'KEYWORD');
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
const TENANT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.tenant, 'KEYWORD');

/** The options of a start that make a run findable from its first moment on. */
export function startAttributes(
  context: ClientContext,
  agent: string,
  tenant: string | undefined,
  memo: Pick<RunMemo, 'runId' | 'status'>,
): { memo: Record<string, RunMemo>; typedSearchAttributes?: SearchAttributePair[] } {
  const first = { [MEMO_KEY]: { ...memo, change: 0, requests: [] } };
  if (context.searchAttributes === 'none') return { memo: first };
  return {
    memo: first,
    typedSearchAttributes: [
      { key: AGENT, value: toSearchValue(agent, MAX_SEARCH_VALUE) },
      { key: STATUS, value: memo.status },
      ...(tenant === undefined ? [] : [{ key: TENANT, value: toSearchValue(tenant, MAX_SEARCH_VALUE) }]),
    ],
  };
}

/** The typed error for a start that named an attribute the namespace does not have. */
export function missingAttributes(error: unknown, { namespace }: ClientContext): HoldpointError | undefined {
  const grpc = grpcErrorOf(error);
  if (grpc?.code !== GRPC.invalidArgument || !/search attribute/i.test(grpc.details)) return undefined;
  return new HoldpointError(
    'Holdpoint.Worker.MissingSearchAttributes',
    `Namespace "${namespace}" lacks Holdpoint's search attributes (${grpc.details}). Start a worker, which adds them where it may, or run \`holdpoint setup\`, or pass \`searchAttributes: 'none'\` to both.`,
    { namespace },
    { cause: error },
  );
}
