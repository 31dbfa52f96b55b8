import { HoldpointError } from '../../src/agent/errors';
import type { ToolContext } from '../../src/agent/tool';
import type { Answerers } from '../../src/mcp/run/answerers';
import { runInRounds, type Round } from '../../src/mcp/run/run-in-rounds';

const away = () => new HoldpointError('Holdpoint.Tool.NotStarted', 'The server is away.', { tool: 'act' });
const asksForRoots: Round = { kind: 'input', requests: { where: { method: 'roots', params: {} } } };

async function endOf(
  given: Partial<ToolContext & Pick<Answerers, 'sampling'>>,
  ...rounds: readonly (Round | Error)[]
): Promise<unknown> {
  const left = [...rounds];
  const { sampling, ...own } = given;
  const ctx: Partial<ToolContext> = { signal: new AbortController().signal, ...own };
  const rules = { asker: { tool: 'act' }, roots: [], ...(sampling && { sampling }) };
  const running = runInRounds(ctx as ToolContext, rules, async () => {
    const next = left.shift();
    if (!next || next instanceof Error) throw next ?? new Error('No round is left.');
    return next;
  });
  return running.catch((error: unknown) => error);
}

const asksModel = (times: number): Round => ({
  kind: 'input',
  requests: Object.fromEntries(
    Array.from({ length: times }, (_, n) => [`q${n}`, { method: 'sampling', params: {} }]),
  ),
});

test('R33: a call whose second round could not begin is none that never began', async () => {
  expect(await endOf({}, asksForRoots, away())).toMatchObject({
    type: 'Holdpoint.Tool.OutcomeUnknown',
    message: 'act was interrupted between two rounds: The server is away.',
  });
});

test('R33: a call of which no round of this execution ran may be tried again', async () => {
  expect(await endOf({}, away())).toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
  const resumed = { round: { answers: {}, state: { responses: {}, number: 1 } } };
  expect(await endOf(resumed, away())).toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
});

test('R33: a call whose question was not answered because a server is away is none that never began', async () => {
  const sampling = () => Promise.reject(away());
  expect(await endOf({ sampling }, asksModel(1))).toMatchObject({
    type: 'Holdpoint.Tool.OutcomeUnknown',
    message: 'act was interrupted between two rounds: The server is away.',
  });
});

test('a round that asks too much is answered by no model', async () => {
  const asked: unknown[] = [];
  const sampling = async (params: unknown) => {
    asked.push(params);
    return {};
  };
  const output = 'A round asks 1 to 16 questions; this one has 17.';
  expect(await endOf({ sampling }, asksModel(17))).toEqual({ output, isError: true });
  expect(asked).toEqual([]);
});

test('a call that is cancelled while a model answers it goes through no more rounds', async () => {
  const stop = new AbortController();
  const sampling = async () => {
    stop.abort(new Error('cancelled'));
    return {};
  };
  const ended = await endOf({ sampling, signal: stop.signal }, asksModel(1), new Error('A round ran.'));
  expect(ended).toMatchObject({ message: 'cancelled' });
});
