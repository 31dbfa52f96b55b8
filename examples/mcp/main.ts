/** Typed tools, served over MCP, called by their definitions and used by agents: `npm run example mcp`. */
import type { Play } from '../stage/model';
import { onStage } from '../stage/stage';

/** The agent's part, where no model is named, with the tools of a server or its own. */
const playWith = (prefix: string): Play => [
  () => ({
    toolCalls: [
      { id: 'c1', name: `${prefix}greet`, arguments: { name: 'Ada' } },
      { id: 'c2', name: `${prefix}book`, arguments: { day: '2027-03-01' } },
    ],
  }),
  ({ results }) => ({ content: results.join(' ') }),
];

async function main(): Promise<void> {
  await onStage(__dirname, playWith('greetings__'), async (stage) => {
    await stage.run('client.ts');
    stage.start('worker.ts');
    await stage.run('ask.ts', 'guest-host');
  });
  await onStage(__dirname, playWith(''), async (stage) => {
    stage.start('worker.ts');
    await stage.run('ask.ts', 'host');
  });
}

void main();
