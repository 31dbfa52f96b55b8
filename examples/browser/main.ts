/** A browser executes relayed clicks: `npm run example browser`. */
import { onStage } from '../stage/stage';
import type { Play } from '../stage/model';

const call = (id: string, name: string, args: object = {}) => ({ id, name, arguments: { ...args } });

/** The agent's part, where no model is named. It finds size M sold out. */
const PLAY: Play = [
  () => ({ toolCalls: [call('c1', 'read_page')] }),
  () => ({ toolCalls: [call('c2', 'click', { button: 'M' })] }),
  () => ({
    toolCalls: [call('c3', 'click', { button: 'L' }), call('c4', 'click', { button: 'Add to basket' })],
  }),
  ({ results }) => ({ content: `M is sold out, so I took L. ${results.at(-1)?.replace('Clicked. ', '')}` }),
];

void onStage(__dirname, PLAY, async (stage) => {
  stage.start('worker.ts');
  await stage.run('host.ts');
});
