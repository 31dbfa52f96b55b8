import { readDecision } from '../../src/inbox/read-decision';

const approval = { id: 'a', kind: 'approval', prompt: 'p' };
const relay = { id: 'r', kind: 'tool_call', prompt: 'p' };
/** Arguments with so many objects in one another. */
const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const calls = ['one', 'two'].map((id) => ({ id, name: 'stock', input: {}, arguments: '{}' }));

test('a decision is what its form says, and nothing that the form has no word for', () => {
  expect(readDecision(approval, [], { action: 'approve', digest: 'd', id: 'other', ok: 'false' })).toEqual({
    is: 'answer',
    answer: { id: 'a', ok: true, data: { digest: 'd' } },
  });
  expect(readDecision(approval, [], { action: 'approve', 'all-calls': 'yes' })).toMatchObject({
    answer: { data: { allCalls: true } },
  });
  expect(readDecision(approval, [], { action: 'decline', reason: ' one\r\ntwo ' })).toMatchObject({
    answer: { ok: false, reason: 'one\ntwo' },
  });
});

test.each([
  ['nothing', approval, {}],
  ['an action that there is not', approval, { action: 'yes' }],
  ['arguments that are no JSON', approval, { action: 'approve', input: '{' }],
  ['arguments that are no object', approval, { action: 'approve', input: '[1]' }],
  ['a reason that is too long', approval, { action: 'decline', reason: 'x'.repeat(4_097) }],
  ['no result', approval, { action: 'result', output: '' }],
  ['no results', relay, { action: 'result', 'output-0': '', 'call-0': 'one' }],
  ['a result of no call', relay, { action: 'result', 'output-0': 'x' }],
  ['data that is no object', { ...approval, kind: 'own' }, { action: 'reply', data: '"yes"' }],
  ['arguments without end', approval, { action: 'approve', input: deep(201) }],
  ['data without end', { ...approval, kind: 'own' }, { action: 'reply', data: deep(201) }],
  [
    'a form without end',
    { ...approval, kind: 'question', data: { form: {} } },
    { action: 'reply', content: deep(201) },
  ],
])('%s is a problem to correct, not an answer', (_, request, fields) => {
  expect(readDecision(request, calls, fields).is).toBe('problem');
});

test('what is nested deeply, and not too deeply, is taken as it is', () => {
  expect(readDecision(approval, [], { action: 'approve', input: deep(200) }).is).toBe('answer');
});

test('a result goes to the call that its field was made for, however the open calls have changed', () => {
  const left = calls.slice(1);
  const fields = { action: 'result', 'call-0': 'one', 'output-0': '1', 'is-error-0': 'yes' };
  expect(readDecision(relay, left, fields)).toMatchObject({
    answer: { data: { results: [{ id: 'one', output: '1', isError: true }] } },
  });
});
