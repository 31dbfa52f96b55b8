/**
 * Agents, tools, answers, runs in process, single provider calls, and the types of all of it.
 *
 * @module holdpoint
 */
export {
  agentTool,
  authRequired,
  createToolkit,
  defineAgent,
  defineTool,
  emptySchema,
  pending,
  questionTool,
  relayTool,
  Toolkit,
  type AgentOptions,
  type AgentToolOptions,
  type ApprovalOptions,
  type ArgsOf,
  type CustomTool,
  type Duration,
  type QuestionToolOptions,
  type RelayToolOptions,
  type SchemaInput,
  type ToolkitOptions,
  type ToolOptions,
} from './tools';
export { approve, decline, respond, type ApproveOptions } from './agent/decisions';
export { errorResult, okResult } from './agent/tool';
export {
  answerDeclined,
  answerOutput,
  isRelayRequest,
  relayAnswer,
  relayCallsOf,
  RELAY_IS_ERROR_KEY,
  RELAY_KIND,
  RELAY_OUTPUT_KEY,
  type RelayCall,
  type RelayResult,
} from './agent/relay';
export { HoldpointError, type ErrorInfo, type ErrorType } from './agent/errors';
export {
  createInProcessClient,
  InProcessClient,
  type Generate,
  type GenerateCall,
  type GenerateReply,
  type GenerateRequest,
  type Halted,
  type InProcessAnswerOptions,
  type InProcessAskOptions,
  type InProcessOptions,
  type InProcessRunOptions,
  type Toolset,
} from './in-process';
export { openaiModel } from './models/openai';
export type { OpenAIModelOptions } from './models/openai-settings';
export type { ModelOptions } from './models/registry';
export {
  translate,
  type TranslatedCall,
  type Translation,
  type TranslateRequest,
  type TranslateTarget,
} from './translate';
export type { Agent, InstructionsContext } from './agent/agent';
export type { Answer } from './agent/answer';
export type { RunEvent } from './agent/event';
export type { CallProgress, ProgressEvent } from './agent/progress';
export type { BeforeToolDecision, HookContext, Hooks, ToolHookContext } from './agent/hooks';
export type { InputRound } from './agent/input-round';
export type { Json, JsonObject, JsonSchema } from './agent/json';
export type { LimitName, Limits } from './agent/limits';
export type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from './agent/message';
export type {
  FinishReason,
  Model,
  ModelRequest,
  ModelResponse,
  ToolChoice,
  ToolDeclaration,
  Usage,
} from './agent/model';
export type { AnswerVia, Receipt, Rejection } from './agent/receipt';
export type { PolicyState, RequestPolicy, Vote } from './agent/policy';
export type { Request, RequestDraft, RequestKind } from './agent/request';
export type { StandingGrant } from './agent/run-state';
export type {
  CancelledResult,
  DoneResult,
  FailedResult,
  IncompleteResult,
  PendingResult,
  RunResult,
  ToolCallRecord,
} from './agent/result';
export type { RunStatus } from './agent/run-state';
export type {
  ApprovalContext,
  ApprovalPolicy,
  NeedsApproval,
  Suspension,
  Tool,
  ToolContext,
  ToolHints,
  ToolResult,
  ToolSource,
  UnknownOutcomePolicy,
} from './agent/tool';
export type { WaitFor, WaitForContext } from './agent/wait-for';
export type { WebhookEventType, WebhookRequest } from './agent/webhook-event';
export type { TargetedRequest, WebhookEvent, WebhookEventData } from './webhooks/event';
