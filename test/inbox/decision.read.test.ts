import { readDecision } from '../../src/inbox/read-decision';

const approval = { id: 'a', kind: 'approval', prompt: 'p' };
const relay = { id: 'r', kind: 'tool_call', prompt: 'p' };
/** Arguments with so many objects in one another. */
const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

test('a decision is what its form says, and nothing that the form has no word for', () => {
  expect(readDecision(approval, { action: 'approve', digest: 'd', id: 'other', ok: 'false' })).toEqual({
    is: 'answer',
    answer: { id: 'a', ok: true, data: { digest: 'd' } },
  });
  expect(readDecision(approval, { action: 'approve', 'all-calls': 'yes' })).toMatchObject({
    answer: { data: { allCalls: true } },
  });
  expect(readDecision(approval, { action: 'decline', reason: ' one\r\ntwo ' })).toMatchObject({
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
  expect(readDecision(request, fields).is).toBe('problem');
});

test('what is nested deeply, and not too deeply, is taken as it is', () => {
  expect(readDecision(approval, { action: 'approve', input: deep(200) }).is).toBe('answer');
});

test('a result goes to the call that its field was made for, however the open calls have changed', () => {
  const first = { 'call-0': 'one', 'output-0': '', 'call-1': 'two', 'output-1': '', 'is-error-1': 'yes' };
  const fields = { action: 'result', ...first, 'output-1': '2', 'call-2': 'three', 'output-2': '3' };
  expect(readDecision(relay, fields)).toMatchObject({
    answer: {
      data: {
        results: [
          { id: 'two', output: '2', isError: true },
          { id: 'three', output: '3' },
        ],
      },
    },
  });
});

test.each([
  ['a\r\nb', 'a\r\nb', 'a\r\nb'],
  ['a\rb', 'a\r\nb', 'a\rb'],
  ['a\nb', 'a\r\nb', 'a\nb'],
  ['\ud800 a\0', '\ufffd a\ufffd', '\ud800 a\0'],
])('a choice %j is the one that was chosen, sent as %j', (choice, sent, output) => {
  const question = { ...approval, kind: 'question', data: { choices: ['no', choice] } };
  expect(readDecision(question, { action: 'reply', choice: sent })).toMatchObject({
    answer: { data: { output } },
  });
});

test('of two choices that a browser would send alike none is taken for the other', () => {
  const question = { ...approval, kind: 'question', data: { choices: ['a\rb', 'a\r\nb'] } };
  expect(readDecision(question, { action: 'reply', choice: 'a\r\nb' })).toMatchObject({
    answer: { data: { output: 'a\nb' } },
  });
});
