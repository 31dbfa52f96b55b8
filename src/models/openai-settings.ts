import { HoldpointError } from '../agent/errors';

const OPENAI_URL = 'https://api.openai.com/v1';
const DEFAULT_TIMEOUT_MS = 5 * 60 * 1000;
/** A provider behind a URL of its own may need no key, but the package insists on one. */
const PLACEHOLDER_KEY = 'none';
const NAMES: readonly string[] = ['baseURL', 'apiKey', 'organization', 'timeoutMs', 'headers'];
const SECRET_HEADER = /auth|key|token|secret|cookie|password|organization|project/i;

/** Options of `openaiModel`; every one may be left out. */
export interface OpenAIModelOptions {
  /** Where chat completions are served, usually ending in `/v1`. Default: `OPENAI_BASE_URL`, then OpenAI. */
  readonly baseURL?: string;
  /** Default: `OPENAI_API_KEY`. With a base URL and no key a placeholder is sent. */
  readonly apiKey?: string;
  /** Default: `OPENAI_ORG_ID`. */
  readonly organization?: string;
  /**
   * Budget of one request, its body included, in milliseconds. Default 300 000, minimum 1. Node's own `fetch`
   * waits at most 300 000 for an answer to begin.
   */
  readonly timeoutMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Checked options with their defaults. */
export interface OpenAISettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly organization: string | undefined;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What no error may show (R37). */
  readonly secrets: readonly string[];
}

/** Throws `Holdpoint.Model.NoApiKey` or `Holdpoint.Model.InvalidOptions`. */
export function toOpenAISettings(
  options: OpenAIModelOptions,
  env: Readonly<Record<string, string | undefined>>,
): OpenAISettings {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw invalid(`Unknown option \`${unknown}\`. The options are ${NAMES.join(', ')}.`);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, headers = {} } = options;
  if (!Number.isFinite(timeoutMs) || timeoutMs < 1)
    throw invalid(
      `Expected \`timeoutMs\` to be a number of milliseconds of at least 1, got ${String(timeoutMs)}.`,
    );
  const baseURL = given(options.baseURL) ?? given(env['OPENAI_BASE_URL']);
  const apiKey = toApiKey(given(options.apiKey) ?? given(env['OPENAI_API_KEY']), baseURL !== undefined);
  const organization = given(options.organization) ?? given(env['OPENAI_ORG_ID']);
  const project = given(env['OPENAI_PROJECT_ID']);
  const secretHeaders = Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? [value] : [],
  );
  return {
    baseURL: checkURL(baseURL ?? OPENAI_URL),
    apiKey,
    organization,
    timeoutMs,
    headers,
    secrets: [apiKey, organization, project, ...secretHeaders].filter((secret) => secret !== undefined),
  };
}

function toApiKey(key: string | undefined, hasBaseURL: boolean): string {
  if (key === undefined) {
    if (hasBaseURL) return PLACEHOLDER_KEY;
    throw new HoldpointError(
      'Holdpoint.Model.NoApiKey',
      'No API key for the model provider. Set OPENAI_API_KEY or pass `apiKey`; for a server that needs no key ' +
        'set OPENAI_BASE_URL or pass `baseURL`.',
    );
  }
  // A header takes nothing else, and the error of `fetch` would show the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw invalid('Expected the API key to be printable ASCII without spaces; check how it was copied.');
  return key;
}

function checkURL(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalid('Expected the base URL to be an http or https URL, such as https://api.openai.com/v1.');
  if (url.username !== '' || url.password !== '')
    throw invalid('Expected the base URL to hold no user name or password; pass them in `headers`.');
  return text;
}

/** An empty variable is one that is not set; a key read from a file often ends in a newline. */
function given(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Model.InvalidOptions', message);
}
