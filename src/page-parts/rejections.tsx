/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Rejection } from '../agent/receipt';
import { Text } from './text';
import { Moment } from './when';

/** Attempts that changed nothing: who, when, where and why. What they held is nowhere. */
export function Rejections({ rejections }: { readonly rejections: readonly Rejection[] }) {
  return (
    <ol class="receipts">
      {rejections.map(({ by, at, channel, error }) => (
        <li>
          <strong>Refused</strong>: {by === undefined ? 'somebody without a name' : <Text text={by} />} on{' '}
          <Moment at={at} />
          {channel === undefined ? null : (
            <>
              {' '}
              (<Text text={channel} />)
            </>
          )}
          : <Text text={error.message} />
        </li>
      ))}
    </ol>
  );
}
