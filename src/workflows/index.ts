export { agentConversation } from './agent-conversation';
export { agentRun } from './agent-run';
