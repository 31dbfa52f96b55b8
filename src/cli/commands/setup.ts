import type { Command } from 'commander';
import { HoldpointError } from '../../agent/errors';
import { isNotFound, toClientError } from '../../client/rpc-failure';
import { toConnectTarget } from '../../temporal/connect-options';
import { HOLDPOINT_SEARCH_ATTRIBUTES } from '../../testing/search-attributes';
import type { HoldpointClient } from '../../client';
import { connectionOf, withClient, withConnection, type ConnectionFlags } from '../connection';
import { EXIT } from '../exit-codes';
import { carryOut, newCommand, withJson } from '../new-command';
import type { OutputOptions } from '../output';

export function setupCommand(): Command {
  const command = newCommand('setup', {
    summary: 'make a namespace ready: add the search attributes that runs are listed by',
    details:
      'Does nothing where they are there. Workers do the same when they start, where their account may',
    examples: ['holdpoint setup', 'holdpoint setup --address temporal.example:7233 --namespace agents'],
    exits: ['done', 'unavailable'],
  });
  return withJson(withConnection(command)).action(setup);
}

async function setup(flags: ConnectionFlags & OutputOptions): Promise<void> {
  await carryOut(flags, async (output) =>
    withClient(flags, output, async (client) => {
      const { address, namespace } = toConnectTarget(connectionOf(flags));
      await checkNamespace(client, { address, namespace });
      const { ensureSearchAttributes } = await import('../../worker/search-attributes.js');
      const { added, present } = await ensureSearchAttributes(client.temporal.connection, namespace).catch(
        (error: unknown) => {
          throw notAdded(error, namespace);
        },
      );
      output.result({ address, namespace, added, present }, [
        `Namespace "${namespace}" at ${address} has the search attributes that Holdpoint needs.`,
        ...(added.length > 0 ? [`Added: ${added.join(', ')}.`] : []),
        ...(present.length > 0 ? [`There already: ${present.join(', ')}.`] : []),
      ]);
      return EXIT.done;
    }),
  );
}

async function checkNamespace(
  { temporal }: HoldpointClient,
  place: { readonly address: string; readonly namespace: string },
): Promise<void> {
  const { address, namespace } = place;
  try {
    await temporal.withDeadline(Date.now() + 10_000, () =>
      temporal.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    if (!isNotFound(error)) throw toClientError(error, place);
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      `The Temporal server at ${address} has no namespace "${namespace}". Create it, for one with \`temporal operator namespace create ${namespace}\`, or name another with --namespace.`,
      { address, namespace },
      { cause: error },
    );
  }
}

/** The library's own message sends the reader here; from here it must go on to whoever may add them. */
function notAdded(error: unknown, namespace: string): unknown {
  if (!(error instanceof HoldpointError) || error.type !== 'Holdpoint.Worker.MissingSearchAttributes')
    return error;
  const [problem = ''] = error.message.split(' Run `holdpoint setup`');
  const names = (error.data['names'] as readonly string[] | undefined) ?? [];
  const flags = Object.entries(HOLDPOINT_SEARCH_ATTRIBUTES)
    .filter(([name]) => names.includes(name))
    .map(([name, type]) => `--name ${name} --type ${type}`);
  return new HoldpointError(
    error.type,
    `${problem} Whoever administers the namespace puts that right, one of another type removed first: \`temporal operator search-attribute create --namespace ${namespace} ${flags.join(' ')}\`; on Temporal Cloud, the namespace's page has them.`,
    error.data,
    { cause: error },
  );
}
