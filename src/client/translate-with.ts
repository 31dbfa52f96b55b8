import { HoldpointError } from '../agent/errors';
import { translate, type TranslateRequest, type TranslateTarget, type Translation } from '../translate';

/** `translate` with the client's model, or with OpenAI as the environment has it when the request names a model. */
export function translateWith(
  model: TranslateTarget | undefined,
  request: TranslateRequest,
  options: { readonly signal?: AbortSignal },
): Promise<Translation> {
  const target = model ?? (request.model === undefined ? undefined : { model: request.model });
  if (!target)
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      'No model to translate with: name one in the request as `model`, or give `createClient` a `model`.',
    );
  return translate(target, request, options);
}
