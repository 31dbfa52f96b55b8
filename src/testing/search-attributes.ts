/** The search attributes that Holdpoint's workflows set, with their types as the server spells them. */
export const HOLDPOINT_SEARCH_ATTRIBUTES = {
  HoldpointAgent: 'Keyword',
  HoldpointStatus: 'Keyword',
  HoldpointWaitingFor: 'KeywordList',
  HoldpointTenant: 'Keyword',
  HoldpointDeadline: 'Datetime',
} as const;
