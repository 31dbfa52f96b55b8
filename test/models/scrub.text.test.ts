import { scrub } from '../../src/models/scrub';

describe('R37: keys, tokens and account ids are taken out', () => {
  it.each([
    ['a key', 'Key sk-abc123 is wrong.', 'Key *** is wrong.'],
    ['a project key', 'sk-proj-A_b-C9 failed', '*** failed'],
    ['a masked key', 'provided: sk-proj-********wxyz.', 'provided: ***.'],
    ['a masked key of another shape', 'provided: abcd****wxyz.', 'provided: ***.'],
    ['an organization', 'in organization org-Ab12Cd, on tokens', 'in organization ***, on tokens'],
    ['a project', 'project proj_Zz99x', 'project ***'],
    ['a user', 'user-9fK2 may not', '*** may not'],
    ['a bearer token', 'sent Bearer abc.def-g, refused', 'sent ***, refused'],
    ['a web token', 'eyJhbGciOi.eyJzdWIi.c2ln expired', '*** expired'],
    ['a URL’s password', 'http://me:pass@host/v1', 'http://***@host/v1'],
    ['a URL’s key', 'https://host/v1?a=1&key=AbC', 'https://host/v1?a=1&key=***'],
  ])('%s', (_title, text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it('whatever is configured, the longer before the shorter that it contains', () => {
    expect(scrub('abcd1 and abcd1-long', ['abcd1', 'abcd1-long'])).toBe('*** and ***');
  });

  it('a configured value that could be a word is left alone', () => {
    expect(scrub('the api is an a', ['a', 'api'])).toBe('the api is an a');
  });

  it('ordinary words stay', () => {
    const text =
      'Rate limit reached for user-friendly gpt-5-mini: task-based model_not_found at 127.0.0.1:80';
    expect(scrub(text)).toBe(text);
  });

  it('a long text without spaces takes no time to speak of', () => {
    const startedAt = performance.now();
    scrub(`${'x'.repeat(200_000)} ${'sk-'.repeat(50_000)} ${'*'.repeat(100_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
