import { z } from 'zod';
import { define } from '../../src/mcp/definition';
import type { InputRequest } from '../../src/mcp/input-request';

/** A string goes in and a string comes out; on the wire the first is in an object. */
export const greet = define(
  'greet',
  z.codec(z.object({ name: z.string() }), z.string(), {
    decode: ({ name }) => name,
    encode: (name) => ({ name }),
  }),
  z.string(),
);

/** A question with one text. */
export const elicit: InputRequest = {
  method: 'elicitation',
  params: {
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { which: { type: 'string' } }, required: ['which'] },
  },
};
