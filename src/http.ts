/**
 * The HTTP API and the inbox: Hono applications over a client.
 *
 * @module holdpoint/http
 */
export { createHttpApi } from './http/create-api';
export type { HttpApiOptions } from './http/create-api';
export { createAuthenticator } from './http/identity';
export type { Authenticate, Identity } from './http/identity';
export { listen } from './http/listen';
export type { FetchApp, ListeningServer } from './http/listen';
export type { Limits } from './http/limits';
export type { McpCaller, McpMount, McpStillAllowed } from './http/routes/mcp';
export type { HttpApp, HttpEnv, HttpLogger } from './http/services';
export { createInbox } from './inbox/create-inbox';
export type { Inbox } from './inbox/create-inbox';
export type { InboxClient, InboxOptions, SignInLimits } from './inbox/options';
export { createHttpApp } from './inbox/with-api';
export { newApiKey } from './config/api-key';
export { fixedConfig, openConfig } from './config/live-config';
export type { ConfigLogger, LiveConfig } from './config/live-config';
export { parseConfig } from './config/read-config';
export type {
  ApiKeyEntry,
  Config,
  ConfigSource,
  HttpLimits,
  IncomingWebhook,
  JwtIssuer,
  OidcConfig,
  Scope,
  SigningKey,
  WebhookConfig,
  WebhookEndpoint,
  WebhookEvent,
} from './config/config';
export { answerLink } from './tokens/answer-link';
export type { AnswerLink } from './tokens/answer-link';
export { answerUrl, createAnswerToken, verifyAnswerToken } from './tokens/answer-token';
export type { AnswerGrant, Decision } from './tokens/answer-token';
