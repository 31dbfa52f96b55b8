import type { Json, JsonSchema } from './json';
import type { Limits } from './limits';
import type { ToolChoice } from './model';
import type { Checked, Tool } from './tool';

/** What `instructions` may depend on. */
export interface InstructionsContext {
  readonly agent: string;
  readonly runId: string;
  readonly conversationId?: string;
  /** The JSON value given to `start`, `run` or `ask`. */
  readonly context: Json | undefined;
}

/** An agent as registered with a worker. `defineAgent` makes one. */
export interface Agent {
  readonly name: string;
  /** The system prompt, resolved once per run. */
  readonly instructions?: string | ((ctx: InstructionsContext) => string | Promise<string>);
  /** The model's name as its provider spells it; `provider/name` where the worker has several. */
  readonly model: string;
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** The final text is JSON of this schema; `RunResult.output` holds it parsed. */
  readonly outputSchema?: JsonSchema;
  /** Checks the final text's JSON and gives it as the schema makes it. */
  readonly checkOutput?: (value: Json) => Checked<Json>;
}
