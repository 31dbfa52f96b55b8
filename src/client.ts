/**
 * Starts runs and conversations, reads them, and answers what they wait on.
 *
 * @module holdpoint/client
 */
import { Client } from '@temporalio/client';
import { processLogger } from './client/absent-worker';
import { emptyTails, nothingNoted, type ClientContext } from './client/client-context';
import { checkAddress, checkClientOptions } from './client/client-options';
import { connectClient } from './client/connect';
import type { HoldpointClient } from './client/holdpoint-client';
import { clientMethods } from './client/methods';
import type { ClientOptions } from './client/options';
import { checkScope, otherScope } from './client/scope';
import { UpdateTurns } from './client/update-turns';
import { SharedLooks } from './client/shared-looks';
import { DEFAULT_TASK_QUEUE, toConnectTarget } from './temporal/connect-options';
import { toDataConverter } from './temporal/data-options';

export type { HoldpointClient, RunIdentity, StartedRun } from './client/holdpoint-client';
export type { ClientLogger } from './client/absent-worker';
export type { RefusalNote } from './agent/wire';
export type { AnswerOutcome } from './client/answer-all';
export type { ListedRun, RunPage } from './client/lists';
export type { OpenRequestRow } from './client/open-requests';
export type {
  AgentRef,
  AnswerTarget,
  AskOptions,
  CallOptions,
  ClientOptions,
  ContinueOptions,
  EraseTarget,
  EventsOptions,
  ListFilter,
  PageFilter,
  QueueOptions,
  RequestsFilter,
  ResultOptions,
  RevokeOptions,
  RunOptions,
  StartOptions,
} from './client/options';
export type { AskReceipt } from './agent/wire';
export type { DataOptions } from './temporal/data-options';
export type { PayloadStore } from './temporal/payload-store';
export type { RunningView, RunView } from './client/run-result';

/**
 * Connects to the Temporal server and gives a client for runs and conversations. Several may share one process
 * or one connection; close each with `disconnect`, or by `await using`.
 *
 * ```ts
 * const client = await createClient({ address: 'localhost:7233' });
 * const halted = await client.run('refund-desk', 'Please refund order 1047');
 * ```
 *
 * @throws HoldpointError `Holdpoint.Client.Unreachable` within seconds when no server answers,
 * `Holdpoint.Client.InvalidOptions`
 */
export async function createClient(options: ClientOptions = {}): Promise<HoldpointClient> {
  checkClientOptions(options);
  const target = toConnectTarget(options);
  const { taskQueue = DEFAULT_TASK_QUEUE, searchAttributes = 'full', model } = options;
  if (!options.connection) checkAddress(target.address, options);
  const own = options.connection ? undefined : await connectClient(target);
  const connection = options.connection ?? own?.connection;
  const disconnect = async (): Promise<void> => {
    await own?.close();
  };
  return clientOf(
    {
      temporal: new Client({
        ...(connection && { connection }),
        namespace: target.namespace,
        dataConverter: toDataConverter(options),
      }),
      address: target.address,
      namespace: target.namespace,
      taskQueue,
      searchAttributes,
      tails: emptyTails(),
      noted: nothingNoted(),
      turns: new UpdateTurns(),
      looks: new SharedLooks(),
      logger: options.logger ?? processLogger,
      warned: new Set(),
      ...(model && { model }),
    },
    disconnect,
  );
}

function clientOf(context: ClientContext, disconnect: () => Promise<void>): HoldpointClient {
  return {
    ...clientMethods(context),
    temporal: context.temporal,
    forTenant(tenant) {
      const scope = checkScope(tenant);
      // Whoever holds a client for one tenant cannot make one for another of it.
      if (context.scope && context.scope.tenant !== scope.tenant) throw otherScope();
      return clientOf({ ...context, scope }, async () => undefined);
    },
    disconnect,
    [Symbol.asyncDispose]: disconnect,
  };
}
