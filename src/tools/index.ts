export { defineTool, type ToolOptions } from './define-tool';
export { type ApprovalOptions } from './approval-policy';
export { relayTool, type RelayToolOptions } from './relay-tool';
export { type CustomTool } from './custom-tool';
export { pending, authRequired } from './pending';
export { createToolkit, Toolkit, type ToolkitOptions } from './toolkit';
export { defineAgent, type AgentOptions } from './define-agent';
export { emptySchema, type ArgsOf, type SchemaInput } from './schema';
export { type Duration } from './duration';
