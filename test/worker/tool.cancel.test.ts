import { defineAgent, defineTool } from '../../src/tools';
import { callsOnce } from '../support/model';
import { withDesk } from './fixtures';

describe('cancelling a run', () => {
  it("R8: aborts its tool within two seconds, and no other run's", async () => {
    await withDesk(async ({ start, startRun }) => {
      const aborted = new Map<string, number>();
      let begun = 0;
      let bothBegun: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (bothBegun = resolve));
      const look = defineTool({
        name: 'look',
        description: 'Looks.',
        execute: (_, { signal, runId = '' }) => {
          begun += 1;
          if (begun === 2) bothBegun();
          return new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => {
              aborted.set(runId, Date.now());
              resolve('stopped');
            }),
          );
        },
      });
      const agents = [defineAgent({ name: 'desk', model: 'm', tools: [look] })];
      await start({ agents, models: callsOnce('look').model });
      const one = await startRun({ agent: 'desk', input: 'Look.' });
      const other = await startRun({ agent: 'desk', input: 'Look.' });
      await both;
      const asked = Date.now();
      await one.cancel();
      await expect(one.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect([...aborted.keys()]).toEqual([one.workflowId]);
      expect((aborted.get(one.workflowId) ?? Infinity) - asked).toBeLessThan(2_000);
      await other.cancel();
      await expect(other.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    });
  });
});
