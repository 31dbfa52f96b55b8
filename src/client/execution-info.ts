import type { WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import { undecodable } from '../agent/undecodable';
import { MEMO_KEY } from '../agent/wire';
import { encodingOf } from '../temporal/payload-converter';
import type { ClientContext } from './client-context';
import { isUnreadable } from './readable';

type Raw = WorkflowExecutionInfo['raw'];

/** What the server knows of an execution. Of a memo that cannot be read it says so: one run must not hide the others. */
export async function executionInfo(
  { temporal, namespace }: ClientContext,
  raw: Raw,
): Promise<WorkflowExecutionInfo> {
  const { loadedDataConverter } = temporal.workflow.options;
  try {
    return await executionInfoFromRaw(raw, loadedDataConverter, raw, namespace);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // Its fields without a value stand in its prototype.
    const withoutMemo = Object.create(raw, { memo: { value: null } }) as Raw;
    const info = await executionInfoFromRaw(withoutMemo, loadedDataConverter, raw, namespace);
    const memo = raw.memo?.fields?.[MEMO_KEY];
    return memo ? { ...info, memo: { [MEMO_KEY]: undecodable(encodingOf(memo), error.message) } } : info;
  }
}
