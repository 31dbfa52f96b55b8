/** The loop without Temporal, with a host that answers while the run waits: `npm run example in-process`. */
import { answerDeclined, createInProcessClient, openaiModel, type Request, type WaitFor } from 'holdpoint';
import { startModel, type Play } from '../stage/model';
import { office } from './budget';

const call = (id: string, what: string, euros: number) => ({ id, name: 'order', arguments: { what, euros } });

/** The agent's part, where no model is named. */
const PLAY: Play = [
  () => ({ toolCalls: [call('c1', 'pens', 12), call('c2', 'a chair', 180), call('c3', 'a sofa', 2_400)] }),
  ({ results }) => ({ content: results.join(' ') }),
];

/** A script has nobody to ask, so a rule decides. A person at a terminal would do as well. */
const waitFor: WaitFor = (request) => {
  const euros = Number(inputOf(request)['euros']);
  const allowed = euros <= 500;
  console.log(`${request.prompt}: ${allowed ? 'yes' : 'no'}`);
  return allowed ? { id: request.id, ok: true, by: 'budget' } : answerDeclined(request.id, 'over budget');
};

/** What an approval is about: the arguments that will run. */
function inputOf({ data }: Request): Readonly<Record<string, unknown>> {
  const input = data?.['input'];
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};
}

async function main(): Promise<void> {
  const model = await startModel(PLAY);
  try {
    const baseURL = model.env['OPENAI_BASE_URL'];
    const client = createInProcessClient({ model: openaiModel({ ...(baseURL && { baseURL }) }), waitFor });
    const result = await client.run('We need pens, a chair and a sofa.', office);
    for (const { args, output, isError } of result.toolCalls)
      console.log(`${JSON.stringify(args)} ${isError ? 'failed' : 'ran'}: ${output.replaceAll('\n', '; ')}`);
    console.log(`${result.status} after ${result.turns} model calls: ${result.text}`);
  } finally {
    await model.close();
  }
}

void main();
