import type { Payload, SerializationContext } from '@temporalio/common';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { ClientContext } from './client-context';

/** Reads one payload of a history that was fetched as it lies on the server. */
export function decodePayload(
  context: ClientContext,
  workflowId: string,
  payloads: Payload[] | null | undefined,
  index = 0,
): Promise<unknown> {
  const { namespace } = context;
  return decodeAt(context, { type: 'workflow', namespace, workflowId }, payloads?.slice(index, index + 1));
}

/** Reads what the heartbeats of an activity carry. */
export function decodeHeartbeat(
  context: ClientContext,
  { workflowId, activityId }: { readonly workflowId: string; readonly activityId: string },
  payloads: Payload[] | null | undefined,
): Promise<unknown> {
  const { namespace } = context;
  const place = { type: 'activity', namespace, workflowId, activityId, isLocal: false } as const;
  return decodeAt(context, place, payloads?.slice(0, 1));
}

function decodeAt(
  { temporal }: ClientContext,
  place: SerializationContext,
  payloads: Payload[] | undefined,
): Promise<unknown> {
  return decodeFromPayloadsAtIndex(temporal.workflow.options.loadedDataConverter, 0, payloads, place);
}
