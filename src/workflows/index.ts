export { agentConversation } from './agent-conversation';
export { agentNotify } from './agent-notify';
export { agentRun } from './agent-run';
