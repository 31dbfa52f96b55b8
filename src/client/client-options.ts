import { HoldpointError } from '../agent/errors';
import type { ClientOptions } from './options';

const NAMES: Readonly<Record<keyof ClientOptions, true>> = {
  address: true,
  namespace: true,
  tls: true,
  apiKey: true,
  connection: true,
  taskQueue: true,
  searchAttributes: true,
  model: true,
};

/** Says what is wrong with the options of `createClient` before anything is connected. */
export function checkClientOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).filter((name) => !(name in NAMES));
  if (unknown.length > 0)
    throw invalid(`Unknown option ${unknown.join(', ')}. The options are ${Object.keys(NAMES).join(', ')}.`);
  const { connection, taskQueue, searchAttributes } = options;
  const beside = (['address', 'tls', 'apiKey'] as const).filter((name) => options[name] !== undefined);
  if (connection && beside.length > 0)
    throw invalid(`\`connection\` is a server's already; leave ${beside.join(', ')} out, or \`connection\`.`);
  if (taskQueue !== undefined && (typeof taskQueue !== 'string' || taskQueue === ''))
    throw invalid('Expected `taskQueue` to be a non-empty string.');
  if (searchAttributes !== undefined && searchAttributes !== 'full' && searchAttributes !== 'none')
    throw invalid(`Expected \`searchAttributes\` to be full or none, got ${String(searchAttributes)}.`);
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
