/** What a worker has that carries out workflows of its user's beside the agents' runs. */
export { agentConversation } from './agent-conversation';
export { agentNotify } from './agent-notify';
export { agentRun } from './agent-run';
export * from 'holdpoint-own-workflows';
