import { findChromium } from '../../examples/browser/chromium';
import { playExample } from './play-example';

const inBrowser = findChromium() ? test : test.skip;
const why = findChromium()
  ? ''
  : ' (skipped: there is no Chromium on the PATH, and CHROMIUM_PATH names none)';

inBrowser(
  `a browser executes what the agent relays, and what the agent is told is what the page did${why}`,
  async () => {
    const { failure, output } = await playExample('browser');
    expect(output).toContain('The page says:  In the basket: 1 rain jacket, size L.');
    expect(output).toContain(
      'The agent says: M is sold out, so I took L. In the basket: 1 rain jacket, size L. (done)',
    );
    // What went wrong in the page was a result, and the run went on.
    expect(output).toContain('click({"button":"M"}) gives "The button M is disabled."');
    // The two calls of one message came with one request, in their order.
    expect(output).toMatch(/click\(\{"button":"L"\}\)[^]*click\(\{"button":"Add to basket"\}\)/);
    expect(failure).toBeUndefined();
  },
  240_000,
);

test('a browser is looked for at CHROMIUM_PATH and on the PATH', () => {
  expect(findChromium({ CHROMIUM_PATH: '/opt/browser', PATH: '' })).toBe('/opt/browser');
  expect(findChromium({ PATH: `:${__dirname}` })).toBeUndefined();
});
