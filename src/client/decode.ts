import type { Payload } from '@temporalio/common';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { ClientContext } from './client-context';

/** Reads one payload of a history that was fetched as it lies on the server. */
export function decodePayload(
  { temporal, namespace }: ClientContext,
  workflowId: string,
  payloads: Payload[] | null | undefined,
  index = 0,
): Promise<unknown> {
  const { loadedDataConverter } = temporal.workflow.options;
  const place = { type: 'workflow', namespace, workflowId } as const;
  const only = payloads?.slice(index, index + 1);
  return decodeFromPayloadsAtIndex(loadedDataConverter, 0, only, place);
}
