import { HoldpointError } from '../../src/agent/errors';
import { toOpenAISettings, type OpenAIModelOptions } from '../../src/models/openai-settings';

function problem(options: OpenAIModelOptions, env: Record<string, string> = {}): HoldpointError {
  try {
    toOpenAISettings(options, env);
  } catch (error) {
    if (error instanceof HoldpointError) return error;
    throw error;
  }
  throw new Error('The settings were taken');
}

describe('the API key', () => {
  it('is missing without a key and a base URL, and the error says what to do', () => {
    expect(problem({}).type).toBe('Holdpoint.Model.NoApiKey');
    expect(problem({}, { OPENAI_API_KEY: ' ', OPENAI_BASE_URL: '' }).message).toMatch(
      /OPENAI_API_KEY.*OPENAI_BASE_URL/,
    );
  });

  it('comes from the option, then from the environment, without the space around it', () => {
    const env = { OPENAI_API_KEY: 'from-env\n' };
    expect(toOpenAISettings({}, env).apiKey).toBe('from-env');
    expect(toOpenAISettings({ apiKey: 'given' }, env).apiKey).toBe('given');
  });

  it('is a placeholder for a base URL without one', () => {
    expect(toOpenAISettings({ baseURL: 'http://127.0.0.1:1/v1' }, {}).apiKey).toBe('none');
    expect(toOpenAISettings({}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatchObject({
      apiKey: 'none',
      baseURL: 'http://127.0.0.1:1/v1',
    });
  });

  it('R37: that no header takes is refused without being shown', () => {
    const error = problem({ apiKey: 'sk-abc\u200bdef' });
    expect(error.type).toBe('Holdpoint.Model.InvalidOptions');
    expect(error.message).not.toContain('abc');
  });
});

describe('the other options', () => {
  it('have their defaults', () => {
    expect(toOpenAISettings({ apiKey: 'k' }, {})).toMatchObject({
      baseURL: 'https://api.openai.com/v1',
      timeoutMs: 300_000,
      organization: undefined,
    });
  });

  it.each<[OpenAIModelOptions, string]>([
    [{ baseURL: 'localhost:8080' }, 'base URL'],
    [{ baseURL: 'http://me:pass@host/v1' }, 'user name or password'],
    [{ timeoutMs: 0, apiKey: 'k' }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN, apiKey: 'k' }, 'timeoutMs'],
    [{ ...{ maxRetries: 3 }, apiKey: 'k' }, 'maxRetries'],
  ])('%p is refused', (options, named) => {
    const error = problem(options);
    expect(error.type).toBe('Holdpoint.Model.InvalidOptions');
    expect(error.message).toContain(named);
    expect(error.message).not.toContain('pass@');
  });
});
