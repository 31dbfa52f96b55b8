import type { Route } from '../../src/agent/route';
import type { ToolOutcome } from '../../src/agent/run-state';
import { okResult } from '../../src/agent/tool';
import { answer, requestIds, tool } from './scenes';
import { RELAY, scene, ScriptedPort, type Scene } from './scripted-port';

const APPROVAL = { kind: 'approval', prompt: 'Pay?', data: { input: {}, digest: '' } };
const MASKED: ToolOutcome = { is: 'result', result: okResult('masked') };

async function halted(route: Route, ...outcomes: ToolOutcome[]): Promise<Scene> {
  const calls = [{ id: 'a', name: 'pay', route }];
  const next = (): ToolOutcome => outcomes.shift() ?? { is: 'unknown', why: 'too many executions' };
  const at = scene(new ScriptedPort([{ calls }, { content: 'ok' }], next));
  await at.go();
  return at;
}

/** Gives the result in the tool's place. */
async function supply(at: Scene, output: string, isError?: boolean): Promise<void> {
  answer(at, {
    id: requestIds(at)[0],
    ok: true,
    data: { output, ...(isError !== undefined && { isError }) },
  });
  await at.go();
}

describe('R28, R42: a result that a person gives in a tool’s place', () => {
  it.each([
    ['an approver', tool({ holds: [APPROVAL], after: true }), []],
    ['an approver of a relayed call', { ...RELAY, holds: [APPROVAL], after: true } as Route, []],
    [
      'whoever knows what became of the call',
      tool({ destructive: true, after: true }),
      [{ is: 'unknown', why: 'its worker died' }],
    ],
  ] as const)('%s: passes afterTool, and the tool does not run', async (_who, route, first) => {
    const at = await halted(route, ...first, MASKED);
    await supply(at, 'paid by hand');
    const looked = at.port.executions.filter(({ mode }) => mode === 'after');
    expect(looked).toMatchObject([{ result: okResult('paid by hand'), attempts: 3 }]);
    expect(at.port.executions).toHaveLength(first.length + 1);
    expect(at.results()).toEqual(['masked']);
  });

  it('is final at once where no hook waits for it', async () => {
    const at = await halted(tool({ holds: [APPROVAL] }));
    await supply(at, 'it was refused at the till', true);
    expect(at.port.executions).toEqual([]);
    expect(at.results()).toEqual(['it was refused at the till']);
    expect(at.run.marks[0]?.isError).toBe(true);
  });

  it.each<ToolOutcome>([
    { is: 'unknown', why: 'its worker died' },
    { is: 'cancelled', ran: true },
  ])('R33: stands when no worker could look at it: %j', async (outcome) => {
    const at = await halted(tool({ holds: [APPROVAL], after: true }), outcome);
    await supply(at, 'paid by hand');
    expect(at.results()).toEqual(['paid by hand']);
    expect(at.run.requests).toEqual([]);
  });

  it('R24: is held to a relay tool’s output schema like a host’s', async () => {
    const route = { ...RELAY, holds: [APPROVAL], outputSchema: { type: 'integer' } } as Route;
    const at = await halted(route);
    await expect(supply(at, 'many')).rejects.toMatchObject({ type: 'Holdpoint.Answer.Invalid' });
    await supply(at, '12');
    expect(at.results()).toEqual(['12']);
  });
});
