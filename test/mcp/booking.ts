import { z } from 'zod';
import { handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';

export const SIGN_IN = 'https://bank.example/authorize?state=1';

/** A tool that asks a person for a seat and to sign in elsewhere, and gives what it was told. */
export const booking: BoundTool = handleCall(
  define('book', z.object({}), z.unknown()),
  ({ inputResponses }) =>
    ok(
      Object.keys(inputResponses).length > 0
        ? complete(inputResponses)
        : requestInput({
            seat: {
              method: 'elicitation',
              params: {
                message: 'Which <b>seat</b>?',
                requestedSchema: {
                  type: 'object',
                  properties: { row: { type: 'integer', title: 'Row', minimum: 1 } },
                  required: ['row'],
                },
              },
            },
            account: { method: 'elicitation', params: { mode: 'url', message: 'Sign in', url: SIGN_IN } },
          }),
    ),
);
