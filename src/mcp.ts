/**
 * Typed MCP tools, served over MCP and used in runs; agents served as MCP tools; the tools of other MCP servers.
 *
 * Needs the packages `@modelcontextprotocol/server` and `@modelcontextprotocol/client`, which nothing else loads.
 *
 * @module holdpoint/mcp
 */
export { handle, handleCall, handleWithErrorRenderer, toolDeclaration } from './mcp/bound-tool';
export type { BoundTool, RoundOutcome, ToolCallResult } from './mcp/bound-tool';
export type { Call, ClientInfo, RequestId } from './mcp/call';
export { callTool, listTools } from './mcp/client/call-tool';
export type { CallOutcome } from './mcp/client/call-tool';
export { connectMcp } from './mcp/client/connection';
export type {
  ConnectOptions,
  InputRound,
  McpConnection,
  RemoteCallOptions,
  RemoteOutcome,
} from './mcp/client/connection';
export { remoteToolName, safeToolName } from './mcp/client/safe-name';
export type { FormAnswer, LegacyElicitation } from './mcp/client/legacy-elicitation';
export type { Credentials, HeaderFields, McpTransport } from './mcp/client/transport';
export type { Codec } from './mcp/codec';
export { textContent } from './mcp/content';
export type {
  ContentAnnotations,
  ContentBlock,
  ContentMetadata,
  EmbeddedResource,
  Icon,
  MediaContent,
  ResourceLink,
  TextContent,
} from './mcp/content';
export { declaration, inputContract } from './mcp/declaration';
export type { Declaration, InputContract, ToolAnnotations } from './mcp/declaration';
export { describeDefineError } from './mcp/define-error';
export type { DefineError, MissingSchema, SchemaNotObject } from './mcp/define-error';
export { define, defineContent, tryDefine, tryDefineContent } from './mcp/definition';
export type { ContentDefinition, Defined, Definition, Published } from './mcp/definition';
export { inputMethodName } from './mcp/input-request';
export type { InputMethod, InputMethodName, InputRequest, InputRequests } from './mcp/input-request';
export type { InvocationLimits } from './mcp/invoke';
export { CORRELATION_KEY, IDEMPOTENCY_KEY } from './mcp/meta-keys';
export type { ProgressReport } from './mcp/progress';
export { complete, completeWithContent, completeWithMeta, requestInput } from './mcp/reply';
export type { CompleteReply, InputReply, Reply } from './mcp/reply';
export { failed, ok } from './mcp/result';
export type { Failed, Ok, Result } from './mcp/result';
export { agentTools } from './mcp/run/agent-tools';
export type { AgentToolEntry } from './mcp/run/agent-tools';
export type { Answerers, Root, SamplingContext } from './mcp/run/answerers';
export { mcpTools } from './mcp/run/mcp-tools';
export type { McpToolset, McpToolsOptions } from './mcp/run/mcp-tools';
export { sampleWith } from './mcp/run/sample-with';
export type { SampleOptions } from './mcp/run/sample-with';
export type { McpLimits } from './mcp/server/call-limits';
export { createMcpServer } from './mcp/server/create-mcp-server';
export type { McpServing, StdioServing } from './mcp/server/create-mcp-server';
export type { McpPrincipal, McpRequest, McpServerOptions } from './mcp/server/options';
export { memoryOutcomes } from './mcp/server/outcome-store';
export type { KeptOutcome, MemoryOutcomesOptions, OutcomeStore } from './mcp/server/outcome-store';
export type { ClientFor, ServedAgent } from './mcp/server/serve-agent';
export type { StillAllowed } from './mcp/server/still-allowed';
export {
  withDescription,
  withDestructiveHint,
  withIcons,
  withIdempotentHint,
  withInputSchema,
  withMeta,
  withOpenWorldHint,
  withReadOnlyHint,
  withRequiredClientCapabilities,
  withTitle,
} from './mcp/setters';
export type { AnyDefinition } from './mcp/setters';
export { errorMessage, errorWith } from './mcp/tool-error';
export type { ToolError } from './mcp/tool-error';
