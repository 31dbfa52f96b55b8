import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import { HoldpointError } from '../agent/errors';
import type { Model, ModelRequest, ModelResponse } from '../agent/model';
import { statusError, transportError } from './model-error';
import { toChatRequest } from './openai-request';
import { toModelResponse } from './openai-response';
import { toOpenAISettings, type OpenAIModelOptions, type OpenAISettings } from './openai-settings';
import { toOutputFormat } from './output-format';
import { retryAfterMs } from './retry-after';
import { withDeadline, type Deadline } from './with-deadline';

/**
 * A model behind OpenAI's chat completions, or any server that speaks them. Each `generate` is one HTTP
 * request.
 *
 * Throws `Holdpoint.Model.NoApiKey` (neither a key nor a base URL) and `Holdpoint.Model.InvalidOptions`; from
 * `generate` the other `Holdpoint.Model` types, and the signal's reason once it aborts.
 *
 * ```ts
 * const model = openaiModel({ baseURL: 'http://127.0.0.1:8080/v1' });
 * const worker = await createWorker({ agents, models: { default: model } });
 * ```
 */
export function openaiModel(options: OpenAIModelOptions = {}): Model {
  const settings = toOpenAISettings(options, process.env);
  const client = new OpenAI({
    baseURL: settings.baseURL,
    apiKey: settings.apiKey,
    adminAPIKey: null,
    organization: settings.organization ?? null,
    // One owner of retries: `generateWithRetries` (R37).
    maxRetries: 0,
    timeout: settings.timeoutMs,
    defaultHeaders: settings.headers,
  });
  return { generate: (request) => generate(client, settings, request) };
}

async function generate(
  client: OpenAI,
  settings: OpenAISettings,
  request: ModelRequest,
): Promise<ModelResponse> {
  request.signal.throwIfAborted();
  if (request.model === '')
    throw new HoldpointError(
      'Holdpoint.Model.InvalidOptions',
      'Expected `model` to be the name of a model, got "".',
    );
  const format = request.outputSchema && toOutputFormat(request.outputSchema);
  const chat = toChatRequest(request, format);
  const body = await withDeadline(request.signal, settings.timeoutMs, async (deadline) => {
    try {
      // The package's own timeout ends with the headers; its JSON reader takes broken JSON for a string.
      const response = await client.chat.completions.create(chat, { signal: deadline.signal }).asResponse();
      return await response.text();
    } catch (error) {
      // The package's abort error is named `Error`: whoever cancelled gets their own reason back.
      request.signal.throwIfAborted();
      throw toError(error, deadline, settings);
    }
  });
  request.signal.throwIfAborted();
  const response = toModelResponse(body, { model: request.model, secrets: settings.secrets });
  if (!format || response.text === null) return response;
  return { ...response, text: format.restore(response.text) };
}

function toError(error: unknown, deadline: Deadline, { baseURL, timeoutMs, secrets }: OpenAISettings) {
  if (error instanceof APIError && typeof error.status === 'number') {
    const { status, type, code, message, headers } = error as APIError<number, Headers>;
    const wait = retryAfterMs(headers, Date.now());
    return statusError(
      {
        status,
        type,
        code,
        message: withoutStatus(message, status),
        ...(wait !== undefined && { retryAfterMs: wait }),
      },
      secrets,
    );
  }
  const { origin, pathname } = new URL(baseURL);
  const provider = `the model provider at ${origin}${pathname}`;
  if (deadline.passed() || error instanceof APIConnectionTimeoutError)
    return new HoldpointError(
      'Holdpoint.Model.TimedOut',
      `No answer came from ${provider} within ${timeoutMs} ms. Raise \`timeoutMs\` if the model needs longer.`,
      { timeoutMs },
    );
  return transportError(provider, error, secrets);
}

/** The package puts the status in front of what the provider said. */
function withoutStatus(message: string, status: number): string {
  return message.startsWith(`${status} `) ? message.slice(`${status} `.length) : message;
}
