import { authRequired, defineTool, pending } from '../../src/tools';
import { suspensionOf } from '../../src/tools/tool-result';
import { matching } from '../support/matchers';

describe('suspensions', () => {
  test('R4: pending is an error result whose output is the prompt and whose metadata holds the request', () => {
    expect(pending({ kind: 'approval', prompt: 'Proceed?', data: { n: 0 } })).toEqual({
      output: 'Proceed?',
      isError: true,
      metadata: { pending: { kind: 'approval', prompt: 'Proceed?', data: { n: 0 } } },
    });
  });

  test('R4: authRequired asks for an authorization at a URL, with a default prompt', () => {
    const url = 'https://accounts.example.com/authorize';
    expect(authRequired(url).metadata.pending).toEqual({
      kind: 'authorization',
      url,
      prompt: 'Authorization required to continue',
    });
    expect(authRequired(url, 'Log in')).toMatchObject({ output: 'Log in', isError: true });
  });

  test.each<[string, object, RegExp]>([
    ['no kind', { prompt: 'p' }, /`kind`/],
    ['no prompt', { kind: 'approval' }, /`prompt`/],
    ['a deadline without an offset', { kind: 'k', prompt: 'p', expiresAt: '2026-03-01T12:00:00' }, /offset/],
    ['a day that does not exist', { kind: 'k', prompt: 'p', expiresAt: '2026-02-30T12:00:00Z' }, /offset/],
  ])(
    'R3: a request with %s cannot suspend; inside a tool that is an error result',
    async (_, request, reason) => {
      expect(() => pending(request as never)).toThrow(reason);
      const tool = defineTool({ name: 't', description: '', execute: () => pending(request as never) });
      const result = await tool.call?.({});
      expect(result).toMatchObject({ isError: true, output: matching(reason) });
      expect(result && suspensionOf(result)).toBeUndefined();
    },
  );

  test('R3: a result suspends exactly when metadata.pending is a well-formed request', () => {
    const request = { id: 'req-1', kind: 'authorization', prompt: 'Delete this account?' };
    const result = (value: unknown) => ({ output: '', isError: true, metadata: { pending: value } }) as never;
    expect(suspensionOf(result(request))).toEqual(request);
    expect(suspensionOf(result({ ...request, stray: 1 }))).toEqual(request);
    expect(suspensionOf(result({ kind: 'k' }))).toBeUndefined();
    expect(suspensionOf(result(true))).toBeUndefined();
    expect(suspensionOf({ output: '', isError: true })).toBeUndefined();
  });
});
