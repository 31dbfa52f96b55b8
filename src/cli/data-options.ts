import type { DataOptions } from '../temporal/data-options';
import { fileError } from './command-error';
import { exportsOf, importFile } from './import-file';

/**
 * Loads a file that says how payloads are encoded and kept, for commands that have no agents file.
 *
 * Throws `Holdpoint.Command.InvalidFile`, whose message says where it is wrong.
 */
export async function loadDataOptions(file: string): Promise<DataOptions> {
  const what = '`payloadCodecs`, `payloadStore` or both';
  const { named } = exportsOf(await importFile(file, what, { compile: 'typescript' }));
  const { payloadCodecs, payloadStore } = named as DataOptions;
  if (payloadCodecs === undefined && payloadStore === undefined)
    throw fileError(file, `${file} exports neither \`payloadCodecs\` nor \`payloadStore\`.`);
  return { ...(payloadCodecs && { payloadCodecs }), ...(payloadStore && { payloadStore }) };
}
