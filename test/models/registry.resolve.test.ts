import type { Model } from '../../src/agent/model';
import { createModels, type ModelOptions } from '../../src/models/registry';
import { scriptedModel } from '../../src/testing/scripted-model';
import { caught } from './caught';
import { modelRequest } from './model-request';

const named = (name: string): Model => ({
  generate: async () => ({
    text: name,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    model: name,
  }),
});
const A = named('a');
const B = named('b');

describe('a model’s name', () => {
  it.each<[string, ModelOptions, string, Model, string]>([
    ['before the slash names a provider', { default: A, b: B }, 'b/gpt', B, 'gpt'],
    ['only the first slash counts', { default: A, b: B }, 'b/meta/llama', B, 'meta/llama'],
    ['an unknown provider is part of the name', { default: A, b: B }, 'meta/llama', A, 'meta/llama'],
    ['without a slash it goes to the default', { default: A, b: B }, 'b', A, 'b'],
    ['a single model serves all', A, 'x/y', A, 'x/y'],
    ['a single provider is the default', { b: B }, 'gpt', B, 'gpt'],
    ['what every object has is no provider', { default: A }, 'constructor/x', A, 'constructor/x'],
  ])('%s', (_title, options, name, provider, model) => {
    const resolved = createModels(options).resolve(name);
    expect(resolved.model).toBe(model);
    expect(resolved.provider).toBe(provider);
  });

  it.each<[string, ModelOptions, string]>([
    ['no default among several', { a: A, b: B }, 'gpt'],
    ['no provider of the name and no default', { a: A, b: B }, 'c/gpt'],
    ['nothing after the slash', { default: A, b: B }, 'b/'],
    ['an empty name', A, ''],
  ])('%s is Unknown, and the error lists what there is', async (_title, options, name) => {
    const error = await caught((async () => createModels(options).resolve(name))());
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Unknown', data: { model: name } });
    if (!('generate' in options)) expect(error.message).toContain(Object.keys(options).join(', '));
  });

  it.each([
    ['a name with a slash', { 'a/b': A }],
    ['an empty name', { '': A }],
    ['no model', { a: {} as Model }],
  ])('%s is refused when the registry is made', async (_title, options) => {
    const error = await caught((async () => createModels(options))());
    expect(error.type).toBe('Holdpoint.Model.InvalidOptions');
  });
});

describe('without any model', () => {
  const before = { ...process.env };
  beforeEach(() => {
    delete process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_BASE_URL'];
  });
  afterEach(() => {
    process.env = { ...before };
  });

  it('OpenAI is the default, and its key is only missed at the first call', async () => {
    const { provider, model } = createModels().resolve('gpt-test');
    expect(model).toBe('gpt-test');
    expect((await caught(provider.generate(modelRequest()))).type).toBe('Holdpoint.Model.NoApiKey');
  });

  it('the environment of the first call decides', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const { provider } = createModels({}).resolve('gpt-test');
    process.env['OPENAI_BASE_URL'] = server.baseURL;
    expect((await provider.generate(modelRequest())).text).toBe('Hi');
  });
});
