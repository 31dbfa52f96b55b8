import { declinedText, notRunText, saysNotRun, unknownOutcomeText } from '../../src/agent/result-text';

test.each([
  declinedText('Refund 7?', 'too much'),
  declinedText('Refund 7?'),
  notRunText('refund', 'cancelled'),
])('of a call with the result %j nothing ran', (output) => {
  expect(saysNotRun(output)).toBe(true);
});

test.each(['refunded 7', '', unknownOutcomeText('refund', 'its worker stopped responding')])(
  'of a call with the result %j something may have run',
  (output) => {
    expect(saysNotRun(output)).toBe(false);
  },
);
