import { scriptedModel, type RecordedRequest, type ScriptedTurn } from 'holdpoint/testing';
import { z } from 'zod';

/** What a scripted turn may go by. */
export interface Heard {
  /** What the user said last. */
  readonly user: string;
  /** The results of all tool calls so far, in order. */
  readonly results: readonly string[];
}

/** A model's part: one turn for each assistant message of the conversation. */
export type Play = readonly ((heard: Heard) => ScriptedTurn)[];

/** Where an example's programs find their model. */
export interface StageModel {
  /** One line for the reader. */
  readonly what: string;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The provider that the environment names, or a model server of our own that plays. */
export async function startModel(play: Play): Promise<StageModel> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
  if (OPENAI_API_KEY || OPENAI_BASE_URL)
    return { what: OPENAI_BASE_URL || 'OpenAI', env: {}, close: async () => undefined };
  const model = await scriptedModel((request) => turnOf(request, play));
  return {
    what: 'scripted (set OPENAI_API_KEY for a real one)',
    env: { OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'none' },
    close: () => model.close(),
  };
}

const bodySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
});

/** Goes by the conversation alone, as a model does: any worker may ask, at any time. */
function turnOf({ body }: RecordedRequest, play: Play): ScriptedTurn {
  const { messages } = bodySchema.parse(body);
  const said = (role: string): string[] =>
    messages.filter((message) => message.role === role).map(({ content }) => content ?? '');
  const turn = play[said('assistant').length];
  if (!turn) return { status: 400, body: `The play has ${play.length} turns.` };
  return turn({ user: said('user').at(-1) ?? '', results: said('tool') });
}
