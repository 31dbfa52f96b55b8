import { playExample } from './play-example';

test('in process, waitFor decides while the run waits: yes runs the call, no tells the model why not', async () => {
  const { failure, output } = await playExample('in-process');
  expect(output.split('\n')).toEqual([
    'approve order({"what":"a chair","euros":180}): yes',
    'approve order({"what":"a sofa","euros":2400}): no',
    // Nobody was asked about the pens.
    '{"what":"pens","euros":12} ran: Ordered pens for 12 EUR.',
    '{"what":"a chair","euros":180} ran: Ordered a chair for 180 EUR.',
    '{"what":"a sofa","euros":2400} failed: declined/expired: approve order({"what":"a sofa","euros":2400}); reason: over budget',
    expect.stringMatching(/^done after 2 model calls: Ordered pens/),
    'reason: over budget',
  ]);
  expect(failure).toBeUndefined();
}, 120_000);
