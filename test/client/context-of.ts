import type { Client } from '@temporalio/client';
import { processLogger } from '../../src/client/absent-worker';
import { emptyTails, nothingNoted, type ClientContext } from '../../src/client/client-context';
import { SharedLooks } from '../../src/client/shared-looks';
import { UpdateTurns } from '../../src/client/update-turns';

/** What the parts of a client share, for tests of one part alone. */
export function contextOf(temporal: Client): ClientContext {
  return {
    temporal,
    address: '',
    namespace: temporal.options.namespace,
    taskQueue: 'q',
    searchAttributes: 'full',
    tails: emptyTails(),
    noted: nothingNoted(),
    logger: processLogger,
    warned: new Set(),
    turns: new UpdateTurns(),
    looks: new SharedLooks(),
  };
}
