import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { isRecord } from '../agent/json';
import { PayloadStoreCodec, storeProblem, type PayloadStore } from './payload-store';
import { steadyCodec } from './steady';

/** How what is said in runs lies on the Temporal server. Give all workers and clients of a namespace the same. */
export interface DataOptions {
  /**
   * Temporal's codecs, such as one that encrypts: used in this order on all that is written, and in the opposite one
   * on all that is read. What one cannot read it gives back as it came; when it throws it is called again, and what
   * needs the payload is held up until it can. Search attributes stay as they are, for lists need them: names of agents, tenants and
   * approvers. Messages of errors do, too. Default: none; histories are plain JSON.
   */
  readonly payloadCodecs?: readonly PayloadCodec[];
  /**
   * Where large payloads are kept, encoded, in place of the history. A tool's result may then have 4 MiB in place of
   * 1 MiB (R38), and a run take 16 MiB along when it continues as new in place of 1.5 MiB. Default: none.
   */
  readonly payloadStore?: PayloadStore;
}

export const DATA_OPTIONS: Readonly<Record<keyof DataOptions, true>> = {
  payloadCodecs: true,
  payloadStore: true,
};

/** Says what is wrong, or `undefined`. */
export function dataProblem({ payloadCodecs, payloadStore }: DataOptions): string | undefined {
  const areCodecs = Array.isArray(payloadCodecs) && payloadCodecs.every(has('encode', 'decode'));
  if (payloadCodecs !== undefined && !areCodecs)
    return 'Expected `payloadCodecs` to be an array of codecs, each with the methods `encode` and `decode`.';
  return payloadStore === undefined ? undefined : storeProblem(payloadStore);
}

function has(...methods: readonly string[]): (value: unknown) => boolean {
  return (value) => isRecord(value) && methods.every((name) => typeof value[name] === 'function');
}

/** The data converter of workers and clients alike: what one of them cannot read shows at the other as the same marker. */
export function toDataConverter({ payloadCodecs = [], payloadStore }: DataOptions = {}): DataConverter {
  const codecs = payloadCodecs.map(steadyCodec);
  return {
    payloadConverterPath: payloadConverterPath(),
    payloadCodecs: payloadStore ? [new PayloadStoreCodec(payloadStore, codecs)] : codecs,
  };
}

/** Whether large payloads are kept outside of histories. */
export function keepsElsewhere({ payloadCodecs = [] }: DataConverter): boolean {
  return payloadCodecs.some((codec) => codec instanceof PayloadStoreCodec);
}

export function payloadConverterPath(): string {
  return require.resolve('./payload-converter');
}
