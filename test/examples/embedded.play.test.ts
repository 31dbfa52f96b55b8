import { playExample } from './play-example';

test("an agent runs inside a workflow of one's own, on a worker of ours and by the plugin on a Temporal worker", async () => {
  const { failure, output } = await playExample('embedded');
  for (const [worker, order] of [
    ['worker.ts', '1047'],
    ['existing-worker.ts', '1052'],
  ])
    expect(output).toMatch(
      new RegExp(
        // Their own signal and activity worked beside the agent's.
        `embedded/${worker}\\n[^]*return\\.ts ${order}\\n[^]*The agent waits: relay tool call inspect[^]*Paid order ${order} back to DE02 1203 0000\\.`,
      ),
    );
  expect(failure).toBeUndefined();
}, 240_000);
