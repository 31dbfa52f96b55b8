import type { Answer } from './answer';
import type { JsonObject } from './json';
import { answerDeclined, answerOutput } from './relay';

/** What an approval may say beside yes. */
export interface ApproveOptions {
  /** Arguments to run with in place of the model's; checked as the model's are, and the model is told. */
  readonly input?: JsonObject;
  /** `request.data.digest` as you saw it: when the arguments have changed since, the answer is refused. */
  readonly digest?: string;
  /** Approves the later calls of this tool in this run as well, until `revokeApproval`. Default false. */
  readonly allCalls?: boolean;
  /** Who approves, for the record. */
  readonly by?: string;
  /** What they are, where the request asks for a role. */
  readonly roles?: readonly string[];
}

/**
 * Approves a call that waits for it.
 *
 * ```ts
 * await client.runWithAnswer(run.runId, approve(run.pending.id, { by: 'ann@shop.example' }));
 * ```
 */
export function approve(requestId: string, options: ApproveOptions = {}): Answer {
  const { input, digest, allCalls, by, roles } = options;
  const data: JsonObject = {
    ...(input && { input }),
    ...(digest !== undefined && { digest }),
    ...(allCalls && { allCalls }),
  };
  return {
    id: requestId,
    ok: true,
    ...(Object.keys(data).length > 0 && { data }),
    ...(by !== undefined && { by }),
    ...(roles && { roles }),
  };
}

/** Declines a request; the model reads the reason. */
export function decline(requestId: string, reason?: string): Answer {
  return answerDeclined(requestId, reason);
}

/** Gives a call's result in its tool's place: the tool does not run. */
export function respond(
  requestId: string,
  output: string,
  options: { readonly isError?: boolean } = {},
): Answer {
  return answerOutput(requestId, output, options);
}
