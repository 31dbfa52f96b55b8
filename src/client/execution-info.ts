import type { WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import type { ClientContext } from './client-context';
import { isUnreadable } from './readable';

type Raw = WorkflowExecutionInfo['raw'];

/** What the server knows of an execution. A memo that cannot be read is left out: one run must not hide the others. */
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
    return executionInfoFromRaw(withoutMemo, loadedDataConverter, raw, namespace);
  }
}
