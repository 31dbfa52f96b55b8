/** Typed tools. One definition serves a server, an agent and whoever calls it. */
import {
  complete,
  define,
  errorMessage,
  failed,
  handle,
  handleCall,
  ok,
  requestInput,
  withDescription,
  withReadOnlyHint,
} from 'holdpoint/mcp';
import { z } from 'zod';

export const greet = withReadOnlyHint(
  withDescription(define('greet', z.object({ name: z.string() }), z.string()), 'Greets somebody by name.'),
  true,
);

/** A text on the wire, a Date in handlers and for callers. */
const day = z.codec(z.iso.date(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => z.iso.date().parse(date.toISOString().slice(0, 10)),
});

export const book = withDescription(
  define('book', z.object({ day }), z.object({ day, guests: z.int() })),
  'Books a table for a day.',
);

const guestsForm = {
  type: 'object',
  properties: { guests: { type: 'integer', title: 'How many guests?', minimum: 1 } },
  required: ['guests'],
};
const accepted = z.object({ action: z.literal('accept'), content: z.object({ guests: z.int() }) });

export const tools = [
  handle(greet, ({ name }) => ok(`Hello, ${name}!`)),
  handleCall(book, ({ inputResponses: { guests: answer } }, input) => {
    if (answer === undefined) {
      const params = { message: 'For how many is the table?', requestedSchema: guestsForm };
      return ok(requestInput({ guests: { method: 'elicitation', params } }));
    }
    const said = accepted.safeParse(answer);
    if (!said.success) return failed(errorMessage('Nobody wants to say for how many: no table was booked.'));
    return ok(complete({ day: input.day, guests: said.data.content.guests }));
  }),
];
