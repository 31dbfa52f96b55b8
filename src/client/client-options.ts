import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { addressProblem } from '../temporal/address';
import { DATA_OPTIONS, dataProblem } from '../temporal/data-options';
import { unknownOptions } from '../tools/option-checks';
import type { ClientOptions } from './options';

const NAMES: Readonly<Record<keyof ClientOptions, true>> = {
  address: true,
  namespace: true,
  tls: true,
  apiKey: true,
  connection: true,
  taskQueue: true,
  searchAttributes: true,
  logger: true,
  model: true,
  ...DATA_OPTIONS,
};

/** Says what is wrong with the options of `createClient` before anything is connected. */
export function checkClientOptions(options: ClientOptions): void {
  const isObject: boolean = isRecord(options);
  if (!isObject) throw invalid('Expected the options of `createClient` to be an object.');
  const unknown = unknownOptions(options, Object.keys(NAMES), { owner: '`createClient`' });
  if (unknown !== undefined) throw invalid(unknown);
  const { connection, searchAttributes, logger } = options;
  const beside = (['address', 'tls', 'apiKey'] as const).filter((name) => options[name] !== undefined);
  if (connection && beside.length > 0)
    throw invalid(`\`connection\` is a server's already; leave ${beside.join(', ')} out, or \`connection\`.`);
  for (const name of ['address', 'namespace', 'apiKey', 'taskQueue'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw invalid(`Expected \`${name}\` to be a non-empty string.`);
  }
  if (searchAttributes !== undefined && searchAttributes !== 'full' && searchAttributes !== 'none')
    throw invalid(`Expected \`searchAttributes\` to be full or none, got ${String(searchAttributes)}.`);
  const data = dataProblem(options);
  if (data !== undefined) throw invalid(data);
  const isLogger: boolean = logger === undefined || typeof logger?.warn === 'function';
  if (!isLogger) throw invalid('Expected `logger` to have a method `warn`, as a pino logger has.');
}

/** Refuses an address that is none, wherever it comes from. */
export function checkAddress(address: string, options: ClientOptions): void {
  const problem = addressProblem(address, options.address !== undefined);
  if (problem !== undefined)
    throw new HoldpointError('Holdpoint.Client.InvalidOptions', problem, { address });
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
