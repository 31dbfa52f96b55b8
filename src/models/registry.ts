import { HoldpointError } from '../agent/errors';
import type { Model } from '../agent/model';
import { openaiModel } from './openai';

/**
 * The models of a worker: one for every agent, or providers by name. `default` serves the agents whose model
 * names none of them; where there is no `default` and one provider alone, that one does.
 */
export type ModelOptions = Model | Readonly<Record<string, Model>>;

/** Which provider to ask, and by what name it knows the model. */
export interface ResolvedModel {
  readonly provider: Model;
  readonly model: string;
}

export interface Models {
  /**
   * Resolves an agent's `model`: `provider/name` where the part before the first slash is a provider's name,
   * otherwise the whole string at the default provider.
   *
   * Throws `Holdpoint.Model.Unknown` where neither is there.
   */
  resolve(name: string): ResolvedModel;
}

/**
 * Makes the registry. Without any model the default is `openaiModel()`, built at its first call, so that a
 * worker starts without an API key and only a run that needs it fails.
 *
 * Throws `Holdpoint.Model.InvalidOptions` for a name that no agent could use or a value that is no model.
 *
 * ```ts
 * const models = createModels({ default: openaiModel(), local: openaiModel({ baseURL }) });
 * models.resolve('local/llama-3.3').model; // 'llama-3.3'
 * ```
 */
export function createModels(options: ModelOptions = {}): Models {
  const providers = new Map(isModel(options) ? [['default', options]] : Object.entries(options));
  for (const [name, provider] of providers) check(name, provider);
  const fallback = defaultOf(providers);
  return {
    resolve: (name) => {
      const slash = name.indexOf('/');
      const named = slash < 0 ? undefined : providers.get(name.slice(0, slash));
      const model = named ? name.slice(slash + 1) : name;
      const provider = named ?? fallback;
      if (!provider || model === '') throw unknownModel(name, [...providers.keys()]);
      return { provider, model };
    },
  };
}

function defaultOf(providers: ReadonlyMap<string, Model>): Model | undefined {
  if (providers.size === 0) return lazyOpenAI();
  const [first] = providers.values();
  return providers.get('default') ?? (providers.size === 1 ? first : undefined);
}

function lazyOpenAI(): Model {
  let built: Model | undefined;
  return { generate: async (request) => (built ??= openaiModel()).generate(request) };
}

function isModel(value: ModelOptions): value is Model {
  return typeof value.generate === 'function';
}

function check(name: string, provider: unknown): void {
  if (!/^[^/\s]+$/.test(name))
    throw new HoldpointError(
      'Holdpoint.Model.InvalidOptions',
      `Expected a provider's name without slash or space, got ${JSON.stringify(name)}.`,
    );
  const isProvider = typeof provider === 'object' && provider !== null && 'generate' in provider;
  if (!isProvider || typeof provider.generate !== 'function')
    throw new HoldpointError(
      'Holdpoint.Model.InvalidOptions',
      `Expected provider \`${name}\` to be a model with \`generate(request)\`, such as openaiModel().`,
      { provider: name },
    );
}

function unknownModel(model: string, providers: readonly string[]): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Model.Unknown',
    `No provider for model ${JSON.stringify(model)}. Registered: ${providers.join(', ') || 'none'}. Write ` +
      '`provider/name`, or register a provider named `default`.',
    { model, providers },
  );
}
