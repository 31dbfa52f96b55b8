import {
  answerDeclined,
  answerOutput,
  isRelayRequest,
  relayAnswer,
  relayCallsOf,
  RELAY_IS_ERROR_KEY,
  RELAY_KIND,
  RELAY_OUTPUT_KEY,
} from '../../src';

const call = { id: 'c1', name: 'click', input: { x: 1 }, arguments: '{"x": 1}' };
const request = { id: 'r1', kind: RELAY_KIND, prompt: 'p', data: { calls: [call] } };

describe('R21: the helpers of a host', () => {
  it('name the kind and the keys that travel', () => {
    expect([RELAY_KIND, RELAY_OUTPUT_KEY, RELAY_IS_ERROR_KEY]).toEqual(['tool_call', 'output', 'isError']);
  });

  it('read the calls of a relay request, and none of any other or of no request', () => {
    expect(isRelayRequest(request)).toBe(true);
    expect(relayCallsOf(request)).toEqual([call]);
    expect(isRelayRequest({ ...request, kind: 'approval' })).toBe(false);
    expect(relayCallsOf({ ...request, kind: 'approval' })).toEqual([]);
    expect(isRelayRequest(undefined)).toBe(false);
    expect(relayCallsOf(undefined)).toEqual([]);
    expect(relayCallsOf({ ...request, data: { calls: 'none' } })).toEqual([]);
  });

  it('make answers with results, with one output, and declines', () => {
    const results = [
      { id: 'c1', output: '' },
      { id: 'c2', output: 'x', isError: true },
    ];
    expect(relayAnswer('r1', results)).toEqual({ id: 'r1', ok: true, data: { results } });
    expect(answerOutput('r1', 'out')).toEqual({ id: 'r1', ok: true, data: { output: 'out' } });
    expect(answerOutput('r1', '', { isError: false })).toEqual({
      id: 'r1',
      ok: true,
      data: { output: '', isError: false },
    });
    expect(answerDeclined('r1', 'over budget')).toEqual({ id: 'r1', ok: false, reason: 'over budget' });
  });

  it('count an empty reason as declined', () => {
    expect(answerDeclined('r1', '')).toEqual({ id: 'r1', ok: false, reason: 'declined' });
  });
});
