import { z } from 'zod';
import { parseInstant } from '../agent/instant';
import { isTenantName } from '../agent/tenant';
import { WEBHOOK_EVENT_TYPES } from '../agent/webhook-event';
import { SCOPES, type Config } from './config';
import { secretSchema, signingSecret, webhookSecret, type Environment, type UNREAD } from './secret';

const ID = /^[A-Za-z0-9-]{1,64}$/;

const tenant = z
  .string()
  .refine(
    isTenantName,
    `Expected a tenant: 1 to 64 of the characters A-Z a-z 0-9 . _ -, and not "conversation".`,
  );
const id = z.string().regex(ID, 'Expected an id: 1 to 64 of the characters A-Z a-z 0-9 -.');
const name = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'Expected 1 to 200 characters without control characters.');
const names = z.array(name);
const instant = z
  .string()
  .refine(
    (text) => parseInstant(text) !== undefined,
    'Expected an instant with an offset, such as 2026-03-01T12:00:00Z.',
  );
const url = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL.' });
/** What is fetched from there decides who somebody is, so nobody on the way may change it. */
const secureUrl = url.refine(
  isSecure,
  'Expected an https URL. Plain http is for this machine alone: localhost, 127.0.0.1.',
);
const whole = z.int().min(1);
const scopes = z.array(z.enum(SCOPES));

const key = z.strictObject({
  id,
  name,
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'Expected a SHA-256 hash: 64 hexadecimal digits.'),
  scopes,
  tenant: tenant.exactOptional(),
  roles: names.default([]),
  expiresAt: instant.exactOptional(),
  createdAt: instant.exactOptional(),
});

const issuer = z
  .strictObject({
    // Compared, not fetched; some are no URL.
    issuer: z
      .string()
      .min(1)
      .refine(
        (text) => !URL.canParse(text) || !/^http:/i.test(text) || isSecure(text),
        'Expected an https URL.',
      ),
    audience: z.string().min(1),
    jwksUri: secureUrl,
    subjectClaim: z.string().min(1).default('sub'),
    rolesClaim: z.string().min(1).default('roles'),
    tenantClaim: z.string().min(1).exactOptional(),
    scopes: scopes.exactOptional(),
    scopeClaim: z.string().min(1).exactOptional(),
  })
  .refine(
    (entry) => (entry.scopes === undefined) !== (entry.scopeClaim === undefined),
    'Give `scopes`, what its tokens may do, or `scopeClaim`, the claim that says it; one of the two.',
  );

const limits = z.strictObject({
  bodyBytes: whole.default(2 * 1024 * 1024),
  requestsPerMinute: whole.default(600),
  refusedPerMinute: whole.default(60),
  concurrentWaits: whole.default(1_000),
  concurrentWaitsPerKey: whole.default(100),
  headersMs: whole.default(10_000),
  requestMs: whole.default(30_000),
  readMs: whole.default(8_000),
});

/** The schema of the file. Secrets that are kept in the environment are read from `env`. */
export function configSchema(env: Environment | typeof UNREAD) {
  const webhookSecrets = z.array(webhookSecret(env)).min(1);
  const endpoint = z.strictObject({
    id,
    url,
    secrets: webhookSecrets,
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).exactOptional(),
    tenant: tenant.exactOptional(),
    agents: names.exactOptional(),
  });
  const incoming = z.strictObject({
    id,
    secrets: webhookSecrets,
    by: name,
    roles: names.default([]),
    tenant: tenant.exactOptional(),
  });
  const oidc = z.strictObject({
    issuer: secureUrl,
    clientId: z.string().min(1),
    clientSecret: secretSchema(env),
    scopes: names.default(['openid', 'profile', 'email']),
    subjectClaim: z.string().min(1).exactOptional(),
    rolesClaim: z.string().min(1).default('roles'),
    tenantClaim: z.string().min(1).exactOptional(),
    allowedTenants: z.array(tenant).min(1).exactOptional(),
    allowedRoles: z.array(z.string().min(1)).min(1).exactOptional(),
    allowedDomains: z
      .array(z.string().regex(/^[a-z0-9.-]+$/, 'Expected a domain in small letters, such as "shop.example".'))
      .min(1)
      .exactOptional(),
    everybody: z.literal(true).exactOptional(),
    sessionHours: z.number().positive().max(24).default(8),
  });
  const people = oidc.refine(
    ({ allowedTenants, allowedRoles, allowedDomains, everybody }) =>
      allowedTenants ?? allowedRoles ?? allowedDomains ?? everybody,
    'It does not say who may sign in. Give `allowedRoles`, `allowedDomains` or `allowedTenants`; or `everybody: true`, for a provider that knows your people alone.',
  );
  const file = z.strictObject({
    keys: unique(z.array(key)).default([]),
    jwt: z.array(issuer).default([]),
    signingKeys: unique(z.array(signingKey(env)))
      .refine(
        (keys) => keys.length === 0 || keys.some(({ verifyOnly }) => !verifyOnly),
        'One of them must sign: leave `verifyOnly` out of the newest.',
      )
      .default([]),
    publicUrl: url
      .transform((text) => text.replace(/\/+$/, ''))
      .refine((text) => !/[?#]/.test(text), 'Expected a URL without ? and #.')
      .exactOptional(),
    webhooks: z
      .strictObject({
        endpoints: unique(z.array(endpoint)).default([]),
        allow: z
          .array(z.string().regex(/^[^\s/]+:(\*|\d{1,5})$/, 'Expected host:port or host:*.'))
          .default([]),
        incoming: unique(z.array(incoming)).default([]),
      })
      .prefault({}),
    oidc: people.exactOptional(),
    limits: limits.prefault({}),
  });
  return file satisfies z.ZodType<Config>;
}

function isSecure(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || LOOPBACK.test(hostname);
}

const LOOPBACK = /^127(\.\d{1,3}){3}$/;

function signingKey(env: Environment | typeof UNREAD) {
  return z.strictObject({ id, secret: signingSecret(env), verifyOnly: z.boolean().default(false) });
}

/** Two entries under one id: nobody could tell which is meant. */
function unique<T extends z.ZodArray<z.ZodType<{ readonly id: string }>>>(list: T) {
  return list.refine(
    (entries) => new Set(entries.map((entry) => entry.id)).size === entries.length,
    'Two entries have the same `id`.',
  );
}
