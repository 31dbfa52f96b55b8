import { HoldpointError } from '../../src/agent/errors';
import type { ToolContext } from '../../src/agent/tool';
import { runInRounds, type Round } from '../../src/mcp/run/run-in-rounds';

const away = () => new HoldpointError('Holdpoint.Tool.NotStarted', 'The server is away.', { tool: 'act' });
const asksForRoots: Round = { kind: 'input', requests: { where: { method: 'roots', params: {} } } };

async function endOf(ctx: Partial<ToolContext>, ...rounds: readonly (Round | Error)[]): Promise<unknown> {
  const left = [...rounds];
  const running = runInRounds(ctx as ToolContext, { asker: { tool: 'act' }, roots: [] }, async () => {
    const next = left.shift();
    if (!next || next instanceof Error) throw next ?? new Error('No round is left.');
    return next;
  });
  return running.catch((error: unknown) => error);
}

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
