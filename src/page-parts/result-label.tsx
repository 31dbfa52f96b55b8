/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { RelayCall } from '../agent/relay';
import { Text } from './text';

interface ResultLabelProps {
  readonly calls: readonly RelayCall[];
  /** Which of them. */
  readonly at: number;
}

/** Above the field for the result of one call; numbered where there are several. */
export function ResultLabel({ calls, at }: ResultLabelProps) {
  return (
    <>
      Result of {calls.length === 1 ? '' : `${at + 1}. `}
      <Text text={calls[at]?.name ?? ''} />
    </>
  );
}
