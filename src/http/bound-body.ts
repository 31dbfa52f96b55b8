import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HoldpointError } from '../agent/errors';
import { refuseDeepJson } from './json-depth';
import type { Services } from './services';

/** The field of a link's form that holds JSON: what was filled in, as one object. */
const JSON_FIELD = 'content';

/** Refuses bodies that are too large, as the configuration has it at that moment. Costs next to nothing. */
export function boundBytes({ config }: Services): MiddlewareHandler {
  return async (c, next) => {
    const maxSize = config.current.limits.bodyBytes;
    const tooLarge = (): never => {
      throw new HoldpointError(
        'Holdpoint.Http.TooLarge',
        `A body has at most ${maxSize} bytes. Keep large values elsewhere and pass a reference.`,
        { maxBytes: maxSize },
      );
    };
    return bodyLimit({ maxSize, onError: tooLarge })(c, next);
  };
}

/** Refuses a body whose JSON is nested too deep. It is read whole for that, so only once it is known whose it is. */
export async function refuseDeepBody(c: Context): Promise<void> {
  const type = c.req.header('content-type') ?? '';
  // First: a parameter of the type may hold the word, too.
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    for (const json of new URLSearchParams(await c.req.text()).getAll(JSON_FIELD))
      refuseDeepJson(json, `The field ${JSON_FIELD}`);
  } else if (/json/i.test(type)) refuseDeepJson(await c.req.text());
}
