import type { Json, JsonObject } from '../../agent/json';
import type { InputRequests } from '../input-request';

/** A folder that tools may be told of. */
export interface Root {
  /** A `file:` address. */
  readonly uri: string;
  readonly name?: string;
}

/** For whom a model is asked. */
export interface SamplingContext {
  /** The tool, by its own name. */
  readonly tool: string;
  /** The MCP server, as `mcpTools` names it; absent for a tool of the run's own worker. */
  readonly server?: string;
  readonly runId: string | undefined;
  /** As of the tool's own context. */
  readonly context: Json | undefined;
  /** Aborts when the call does. */
  readonly signal: AbortSignal;
}

/** Answers what a tool asks for that no person has to. */
export interface Answerers {
  /**
   * Answers `sampling/createMessage`: takes its `params`, gives `{role, content, model}`, or rejects, which ends the call
   * with that error. `sampleWith` makes one of a model. Default: no tool is offered a model.
   */
  readonly sampling?: (params: JsonObject, about: SamplingContext) => Promise<JsonObject>;
  /** Default: no tool is told of any. */
  readonly roots?: readonly Root[];
}

/** The requests of a round by who answers them. */
export interface SortedRound {
  /** Answered here and now. */
  readonly own: InputRequests;
  /** For a person. */
  readonly asked: InputRequests;
}

/** The capabilities that a run has: people, and what it is configured with. */
export function capabilitiesOf({ sampling, roots }: Answerers): JsonObject {
  return {
    elicitation: { form: {}, url: {} },
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

export function sortRound(requests: InputRequests): SortedRound {
  const all = Object.entries(requests);
  // A key may be one that objects have by themselves, such as `__proto__`: nothing is assigned by it.
  const those = (wanted: boolean): InputRequests =>
    Object.fromEntries(all.filter(([, { method }]) => (method === 'elicitation') === wanted));
  return { own: those(false), asked: those(true) };
}

/** The responses to what no person has to answer. Rejects when the model that is asked does. */
export async function answerOwn(
  own: InputRequests,
  answerers: Answerers,
  about: SamplingContext,
): Promise<Record<string, Json>> {
  const entries = Object.entries(own).map(async ([key, { method, params }]): Promise<[string, Json]> => {
    if (method === 'sampling' && answerers.sampling) return [key, await answerers.sampling(params, about)];
    return [key, { roots: (answerers.roots ?? []).map((root) => ({ ...root })) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
