/**
 * What the configuration file says, after it was checked: secrets are resolved, defaults are filled in. It holds
 * keys, endpoints and limits only; everything about runs lives in Temporal.
 */
import type { WebhookEventType } from '../agent/webhook-event';

/** What a caller of the API may do. */
export const SCOPES = ['runs:read', 'runs:write', 'requests:read', 'requests:answer', 'metrics'] as const;

/** Something that a caller of the API may do. */
export type Scope = (typeof SCOPES)[number];

/** An event that an outgoing webhook can tell. */
export type WebhookEvent = WebhookEventType;

/** An API key as it is kept: its hash, never the key. */
export interface ApiKeyEntry {
  /** The part of the key that is no secret: `hp_<id>_<secret>`. */
  readonly id: string;
  /** Who it is, in receipts and the audit: `key:<name>`. */
  readonly name: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  /** Whose runs it reaches. Without one, only runs that have no tenant. */
  readonly tenant?: string;
  readonly roles: readonly string[];
  /** An instant with an offset; from then on the key is refused. */
  readonly expiresAt?: string;
  readonly createdAt?: string;
}

/** Whose JSON Web Tokens are taken. */
export interface JwtIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's public keys are. */
  readonly jwksUri: string;
  /** Claim that names the person. Default `sub`. */
  readonly subjectClaim: string;
  /** Claim that lists the person's roles. Default `roles`. */
  readonly rolesClaim: string;
  /** Claim that names the tenant. A token without it is then refused. */
  readonly tenantClaim?: string;
  /** What every token of this issuer may do. */
  readonly scopes?: readonly Scope[];
  /** Claim that lists the scopes, as a list or as one text with spaces between. */
  readonly scopeClaim?: string;
}

/** A key that signs answer links and sessions. */
export interface SigningKey {
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
  /** It verifies what it signed before, and signs nothing new. */
  readonly verifyOnly: boolean;
}

/** Where events are sent. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** Standard Webhooks secrets, `whsec_…`: what is sent is signed with each of them. */
  readonly secrets: readonly string[];
  /** Absent: every event. */
  readonly events?: readonly WebhookEvent[];
  /** Only runs of this tenant. Absent: only runs without one. */
  readonly tenant?: string;
  /** Only runs of these agents. Absent: of every agent. */
  readonly agents?: readonly string[];
}

/** A machine that signs its answers with Standard Webhooks instead of sending a key. */
export interface IncomingWebhook {
  readonly id: string;
  /** Standard Webhooks secrets, `whsec_…`: any of them verifies. */
  readonly secrets: readonly string[];
  /** Who it is, in receipts and the audit. */
  readonly by: string;
  readonly roles: readonly string[];
  /** Whose runs it may answer. Without one, only runs that have no tenant. */
  readonly tenant?: string;
}

/** Webhooks in both directions. */
export interface WebhookConfig {
  readonly endpoints: readonly WebhookEndpoint[];
  /** `host:port` or `host:*`, let through by the guard against private addresses. For development. */
  readonly allow: readonly string[];
  readonly incoming: readonly IncomingWebhook[];
}

/** Sign-in to the inbox through an OpenID provider. */
export interface OidcConfig {
  readonly issuer: string;
  /** What names somebody, always the same one: votes are counted by it. `email` counts only verified. Default `email`. */
  readonly subjectClaim?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Asked of the provider. Default `openid profile email`. */
  readonly scopes: readonly string[];
  /** Default `roles`. */
  readonly rolesClaim: string;
  readonly tenantClaim?: string;
  /** Tenants that may sign in. Absent: every one. */
  readonly allowedTenants?: readonly string[];
  /** Roles, one of which whoever signs in must have. Absent: none is needed. */
  readonly allowedRoles?: readonly string[];
  /** Domains, in one of which whoever signs in must have an address that the provider has verified. Absent: none is needed. */
  readonly allowedDomains?: readonly string[];
  /**
   * Hours that a sign-in lasts, above 0 and at most 24. Names and roles count as the provider told them until then: what
   * is taken away there meanwhile counts here. Default 8.
   */
  readonly sessionHours?: number;
  /** Everybody with an account at the provider may sign in. Without it one of the lists above says who. */
  readonly everybody?: true;
}

/** How much one caller may ask for. */
export interface HttpLimits {
  /** Bytes of a request's body. Default 2 MiB. */
  readonly bodyBytes: number;
  /** Requests in a minute, per key or person. Default 600. */
  readonly requestsPerMinute: number;
  /** Requests in a minute with no or a wrong credential, per address. Default 60. */
  readonly refusedPerMinute: number;
  /** Waits and event streams open at once, in all. Default 1,000. */
  readonly concurrentWaits: number;
  /** Waits and event streams open at once, per key or person. Default 100. */
  readonly concurrentWaitsPerKey: number;
  /** Milliseconds in which a request's headers must have come. Default 10,000. */
  readonly headersMs: number;
  /** Milliseconds in which a whole request must have come. Default 30,000. */
  readonly requestMs: number;
  /** Milliseconds in which what is read of Temporal and the workers must have come, or it is a 503. Default 8,000. */
  readonly readMs: number;
}

/** The whole file. */
export interface Config {
  readonly keys: readonly ApiKeyEntry[];
  readonly jwt: readonly JwtIssuer[];
  readonly signingKeys: readonly SigningKey[];
  /** Where people and machines reach this server: the start of every link. No `/` at its end. */
  readonly publicUrl?: string;
  readonly webhooks: WebhookConfig;
  readonly oidc?: OidcConfig;
  readonly limits: HttpLimits;
}

/** A configuration that may change while it is used: read `current` at each use. */
export interface ConfigSource {
  readonly current: Config;
  /** Why `current` is not what the file says now: it cannot be read, or is not valid. Absent: it is. */
  readonly problem?: string | undefined;
}
