/** A conversation's halt is resumed from another process: `npm run example conversation`. */
import { randomBytes } from 'node:crypto';
import type { Play } from '../stage/model';
import { onStage } from '../stage/stage';

/** The agent's part, where no model is named. Its third turn knows what the guide said in the first ask. */
const PLAY: Play = [
  ({ user }) => ({ toolCalls: [{ id: 'c1', name: 'ask_guide', arguments: { question: user } }] }),
  ({ results }) => ({ content: `The guide says: ${results.at(-1)}` }),
  ({ results }) => ({ content: `As I said: ${results.at(-1)}` }),
];

void onStage(__dirname, PLAY, async (stage) => {
  const customer = `customer-${randomBytes(3).toString('hex')}`;
  stage.start('worker.ts');
  // This process asks and ends. What it asked is safe: the conversation is a workflow.
  await stage.run('ask.ts', customer, 'Is the tour on Sunday?');
  await stage.run('answer.ts', `${customer}/1`, 'Yes, at nine at the hut.');
  await stage.run('ask.ts', customer, 'When was that again?');
});
