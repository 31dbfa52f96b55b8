import { callFields, givenOf, givenOfCalls } from '../../src/page-parts/call-fields';

const call = (id: string) => ({ id, name: 'stock', input: {}, arguments: '{}' });

test('what was typed for a call comes back to it, wherever its fields stand by now', () => {
  const typed = { 'call-0': 'a', 'output-0': 'of a', 'call-1': 'b', 'output-1': 'of b', 'is-error-1': 'yes' };
  expect(givenOf(call('b'), typed)).toEqual({ id: 'b', output: 'of b', isError: true });
  expect(givenOf(call('c'), typed)).toBeUndefined();
  expect(givenOfCalls({ 'call-x': 'a', 'output-0': 'nobody’s' })).toEqual([]);
  expect(callFields(1)).toEqual({ call: 'call-1', output: 'output-1', isError: 'is-error-1' });
});
