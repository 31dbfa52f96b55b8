import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import type { Payload, SerializationContext } from '@temporalio/common';
import { isRecord } from '../agent/json';
import type { ClientContext } from './client-context';

/** Decodes one payload of a list (default: the first); `{}` for anything but an object. */
export type Decode = (
  payloads: Payload[] | null | undefined,
  index?: number,
) => Promise<Record<string, unknown>>;

/** Reads what belongs to a workflow, or to one of its activities, by the client's own converter. */
export function decodeWith({ temporal }: ClientContext, place: SerializationContext): Decode {
  const { loadedDataConverter } = temporal.workflow.options;
  return async (payloads, index = 0) => {
    const value: unknown = await decodeFromPayloadsAtIndex(loadedDataConverter, index, payloads, place);
    return isRecord(value) ? value : {};
  };
}
