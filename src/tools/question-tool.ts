import { isRecord, jsonSize, type JsonObject } from '../agent/json';
import { QUESTION_KIND, type QuestionAsks } from '../agent/question';
import type { Tool, ToolContext } from '../agent/tool';
import { buildTool } from './build-tool';
import { Definition } from './definition';
import { durationMs, type Duration } from './duration';
import { isNames, MAX_APPROVER_LENGTH, MAX_APPROVERS } from '../agent/policy';
import { pending } from './pending';

/** Options of {@link questionTool}; every one may be left out. */
export interface QuestionToolOptions {
  /** Names and roles, one of which whoever answers must have. Default: anybody who may answer requests at all. */
  readonly approvers?: readonly string[];
  /** How long a question stays open: milliseconds or `'2 days'`. Default: until answered. */
  readonly expiresIn?: Duration;
}

const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    question: { type: 'string', minLength: 1, description: 'What the person reads.' },
    choices: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: 50,
      description: 'Answers to choose one from. Leave it out for an answer in their own words.',
    },
    form: {
      type: 'object',
      description: 'A JSON Schema of type object, for several answers at once. Not together with choices.',
    },
  },
  required: ['question'],
  additionalProperties: false,
};

const MAX_FORM_BYTES = 16_384;

/**
 * The built-in tool `question`: the agent asks a person. The call waits as any suspended call does; what the person
 * says becomes its result. Answer a text or a choice with `respond(id, text)`, a form with `data.content`.
 *
 * ```ts
 * const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: [lookup, questionTool({ approvers: ['support'] })] });
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function questionTool(options: QuestionToolOptions = {}): Tool {
  const definition = new Definition(
    'the tool question',
    options,
    ['approvers', 'expiresIn'],
    'Holdpoint.Tool.InvalidDefinition',
  );
  definition.expect(
    'approvers',
    `an array of 1 to ${MAX_APPROVERS} names or roles of 1 to ${MAX_APPROVER_LENGTH} characters`,
    isNames,
  );
  const { approvers } = options;
  const openMs = options.expiresIn === undefined ? undefined : durationMs('expiresIn', options.expiresIn);
  return buildTool(
    {
      name: 'question',
      description:
        'Asks a person a question and waits for the answer, for minutes or for days. Use it for what only a person can know or decide.',
      inputSchema: INPUT_SCHEMA,
      hints: { readOnly: true },
      execute: (args: Question, ctx: ToolContext) => {
        if (ctx.answer) return answerText(ctx.answer.data ?? {});
        const problem = formProblem(args);
        if (problem !== undefined) throw new Error(problem);
        const { question, choices, form } = args;
        const asks: QuestionAsks = form ? 'form' : choices ? 'choice' : 'text';
        return pending({
          kind: QUESTION_KIND,
          prompt: question,
          data: { asks, ...(choices && { choices }), ...(form && { form }) },
          ...(openMs !== undefined && { expiresAt: new Date(Date.now() + openMs).toISOString() }),
          ...(approvers && { policy: { approvers } }),
        });
      },
    },
    'builtin',
    ['name', 'description', 'inputSchema', 'hints', 'execute'],
  );
}

interface Question {
  readonly question: string;
  readonly choices?: readonly string[];
  readonly form?: JsonObject;
}

/** The model reads it, and asks again. */
function formProblem({ choices, form }: Question): string | undefined {
  if (form === undefined) return undefined;
  if (choices) return 'Give either choices or a form, not both.';
  if (form['type'] !== 'object' || !isRecord(form['properties']))
    return 'Expected form to be a JSON Schema of type object with properties.';
  if (jsonSize(form) > MAX_FORM_BYTES) return `Expected a form of at most ${MAX_FORM_BYTES} bytes.`;
  return undefined;
}

function answerText({ output, content }: JsonObject): string {
  return typeof output === 'string' ? output : JSON.stringify(content ?? null);
}
