import { approversOf, tallyOf } from '../agent/policy';
import type { Receipt } from '../agent/receipt';
import { visibleLine } from '../agent/visible-text';
import type { HoldpointClient } from '../client';

/** The vote is on record already: a count that is slow to come is not worth much waiting. */
const COUNT_MS = 5_000;

/** What one approval of several has done, and whose are still needed. */
export async function voteText(client: HoldpointClient, runId: string, receipt: Receipt): Promise<string> {
  const view = await client.get(runId, { messages: false, waitMs: COUNT_MS }).catch(() => undefined);
  const policy = view?.requests?.find(({ id }) => id === receipt.requestId)?.policy;
  const tally = tallyOf(policy);
  // Others may have been as quick.
  if (!tally) return 'Your vote counts.';
  const missing = tally.needed - tally.given;
  const who = approversOf(policy);
  const whose = who === undefined ? '' : ` by ${who.map(visibleLine).join(', ')}`;
  return `Your vote counts: ${tally.given} of ${tally.needed} approvals. Still needed: ${missing} more${whose}.`;
}
