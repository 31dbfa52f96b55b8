import type { RelayCall, RelayResult } from '../agent/relay';
import { lineFeedsIn } from './line-feeds';

/** Names of the fields of one call of a relay request; `call` has the call's id. */
export function callFields(at: number) {
  return { call: `call-${at}`, output: `output-${at}`, isError: `is-error-${at}` };
}

/** What a form has of one call. */
export interface CallGiven {
  readonly id: string;
  readonly output: string;
  readonly isError: boolean;
}

/**
 * What a form has of each call. Its fields are numbered as the calls were that were open when its page was made, so
 * that now only the ids tell whose they are.
 */
export function givenOfCalls(fields: Readonly<Record<string, string | undefined>>): CallGiven[] {
  return Object.keys(fields).flatMap((name) => {
    const [, at] = /^call-(\d+)$/.exec(name) ?? [];
    const id = fields[name];
    if (at === undefined || id === undefined) return [];
    const names = callFields(Number(at));
    return [{ id, output: fields[names.output] ?? '', isError: fields[names.isError] === 'yes' }];
  });
}

/** The same for one call, for a form that comes back. */
export function givenOf(
  { id }: RelayCall,
  fields: Readonly<Record<string, string | undefined>>,
): CallGiven | undefined {
  return givenOfCalls(fields).find((given) => given.id === id);
}

/** The results that a form has. A field that was left empty is a call that somebody else may answer (R23). */
export function resultsIn(fields: Readonly<Record<string, string | undefined>>): RelayResult[] {
  return givenOfCalls(fields)
    .filter(({ output }) => output !== '')
    .map(({ id, output, isError }) => ({ id, output: lineFeedsIn(output), ...(isError && { isError }) }));
}
