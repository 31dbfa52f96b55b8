/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { StandingGrant } from '../../agent/run-state';
import { Text } from '../../page-parts/text';
import { Moment } from '../../page-parts/when';
import type { Frame } from '../frame';
import { Token } from '../pages/page';
import { REVOKE } from '../read-revocation';

interface GrantsProps {
  readonly frame: Frame;
  readonly grants: readonly StandingGrant[];
  /** Where a revocation is posted to; absent where this reader may not send one. */
  readonly to?: string | undefined;
}

/** Which calls pass without anybody being asked, by whose word, and the way to be asked again. */
export function Grants({ frame, grants, to }: GrantsProps) {
  return (
    <ul class="receipts grants">
      {grants.map((grant) => (
        <li>
          <span>
            All calls of{' '}
            <strong>
              <Text text={grant.tool} />
            </strong>
            {grant.path === undefined || grant.path.length === 0 ? null : (
              <>
                {' '}
                by the sub-agent <Text text={grant.path.join(' › ')} />
              </>
            )}
            , approved by {grant.by === undefined ? 'somebody without a name' : <Text text={grant.by} />},
            since <Moment at={grant.at} />
          </span>
          {to === undefined ? null : (
            <form method="post" action={to}>
              <Token frame={frame} />
              <input type="hidden" name={REVOKE.tool} value={grant.tool} />
              <input type="hidden" name={REVOKE.path} value={JSON.stringify(grant.path ?? [])} />
              <button type="submit" aria-label={`Take back the approval of all calls of ${grant.tool}`}>
                Take back
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}
