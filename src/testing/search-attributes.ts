import { SEARCH_ATTRIBUTES } from '../agent/wire';

/** The search attributes that Holdpoint's workflows set, with their types as the server spells them. */
export const HOLDPOINT_SEARCH_ATTRIBUTES = {
  [SEARCH_ATTRIBUTES.agent]: 'Keyword',
  [SEARCH_ATTRIBUTES.status]: 'Keyword',
  [SEARCH_ATTRIBUTES.waitingFor]: 'KeywordList',
  [SEARCH_ATTRIBUTES.tenant]: 'Keyword',
  [SEARCH_ATTRIBUTES.deadline]: 'Datetime',
} as const;

/** Temporal's `IndexedValueType`: how the operator service numbers the types. */
const TYPE_NUMBERS = { Keyword: 2, Datetime: 6, KeywordList: 7 } as const;

/** The attributes as the operator service's `addSearchAttributes` takes them. */
export function toIndexedValueTypes(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(HOLDPOINT_SEARCH_ATTRIBUTES).map(([name, type]) => [name, TYPE_NUMBERS[type]]),
  );
}
