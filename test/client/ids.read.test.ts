import { askNumber, checkNewId, conversationTarget, newRunId, runTarget } from '../../src/client/ids';
import { holdpointError } from '../support/matchers';

test('a run id is a workflow’s own, or the n-th ask of a conversation, with a tenant before it or not', () => {
  expect(runTarget('r-1')).toEqual({ workflowId: 'r-1', runId: 'r-1' });
  expect(runTarget('acme/r-1')).toEqual({ workflowId: 'acme/r-1', runId: 'acme/r-1' });
  for (const conversationId of ['c', 'acme/c'])
    expect(runTarget(`${conversationId}/12`)).toEqual({
      workflowId: `conversation/${conversationId}`,
      conversationId,
      runId: `${conversationId}/12`,
      ask: 12,
    });
  expect(conversationTarget('c')).toEqual({ workflowId: 'conversation/c', conversationId: 'c' });
});

test('the number of an ask is told only for the conversation it belongs to', () => {
  expect(askNumber('c/3', 'c')).toBe(3);
  expect(askNumber('acme/c/3', 'acme/c')).toBe(3);
  expect(askNumber('acme/c/3', 'c')).toBeUndefined();
  expect(askNumber('c/x', 'c')).toBeUndefined();
});

test('a generated run id shows the agent’s name, is an id itself, and never comes twice', () => {
  expect(newRunId('refund-desk')).toMatch(/^refund-desk-[0-9a-f-]{36}$/);
  expect(checkNewId('runId', newRunId(`a/b ${'x'.repeat(500)}`))).toMatch(/^a-b-x+-/);
  expect(newRunId('a')).not.toBe(newRunId('a'));
});

test('what is no id is refused with a type, whatever it is', () => {
  const invalid = holdpointError('Holdpoint.Client.InvalidOptions');
  for (const id of [undefined, '', 7, null, {}]) {
    expect(() => runTarget(id)).toThrow(invalid);
    expect(() => conversationTarget(id)).toThrow(invalid);
    expect(() => checkNewId('runId', id)).toThrow(invalid);
  }
});
