import { SEARCH_ATTRIBUTES } from '../agent/wire';

/** The search attributes that Holdpoint's workflows set, with their types as the server spells them. */
export const HOLDPOINT_SEARCH_ATTRIBUTES = {
  [SEARCH_ATTRIBUTES.agent]: 'Keyword',
  [SEARCH_ATTRIBUTES.status]: 'Keyword',
  [SEARCH_ATTRIBUTES.waitingFor]: 'KeywordList',
  [SEARCH_ATTRIBUTES.tenant]: 'Keyword',
  [SEARCH_ATTRIBUTES.deadline]: 'Datetime',
} as const;
