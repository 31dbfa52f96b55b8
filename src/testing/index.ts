/**
 * For the tests of your agents: a model that plays a script, servers, and the replay check.
 *
 * @module holdpoint/testing
 */
export { type OnProgress } from './progress';
export { freePort } from './free-port';
export { HOLDPOINT_SEARCH_ATTRIBUTES } from './search-attributes';
export { type DynamicConfigValue, type ServerLogLevel } from './server-arguments';
export { startTestServer, type TestServer, type TestServerOptions } from './temporal-server';
export { scriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from './scripted-model';
export { type RecordedRequest } from './request-log';
export {
  type CutTurn,
  type EmptyChoicesTurn,
  type MalformedTurn,
  type MessageTurn,
  type ScriptedToolCall,
  type ScriptedTurn,
  type ScriptedUsage,
  type StatusTurn,
} from './scripted-turn';
export { startTimeSkippingServer, type TimeSkippingOptions } from './time-skipping';
export { replayCheck, type ReplayCheckOptions } from './replay-check';
export { toHistoryJson } from './history-json';
