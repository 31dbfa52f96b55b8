/** An agent inside a workflow of one's own, on two kinds of worker: `npm run example embedded`. */
import type { Play } from '../stage/model';
import { onStage } from '../stage/stage';

/** The agent's part, where no model is named. */
const PLAY: Play = [
  ({ user }) => ({
    toolCalls: [{ id: 'c1', name: 'inspect', arguments: { order: /\d+/.exec(user)?.[0] ?? '' } }],
  }),
  ({ results }) => ({ content: /unworn/.test(results.at(-1) ?? '') ? 'pay' : 'refuse' }),
];

void onStage(__dirname, PLAY, async (stage) => {
  const worker = stage.start('worker.ts');
  await stage.run('return.ts', '1047');
  await worker.stop();
  stage.start('existing-worker.ts');
  await stage.run('return.ts', '1052');
});
