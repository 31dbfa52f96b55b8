import type { JsonObject, JsonSchema } from './json';
import type { RequestDraft } from './request';
import type { ToolResult, UnknownOutcomePolicy } from './tool';

/**
 * Where one call of a message goes. The worker decides it once, in the model activity, from the tools as
 * registered then; the run records it, so a later deployment never changes a call that is already open.
 */
export type Route =
  | RelayRoute
  | ToolRoute
  | AgentRoute
  /** The call cannot run; `text` tells the model why (R5). */
  | { readonly to: 'error'; readonly text: string }
  /** A hook gave the result (R42). */
  | { readonly to: 'result'; readonly result: ToolResult };

interface HeldRoute {
  /** Arguments that a hook put in place of the model's (R42). */
  readonly input?: JsonObject;
  /** Requests to pass, in order, before the call may run: a hook's suspension, an approval (R28). */
  readonly holds?: readonly RequestDraft[];
  /** Checks an approver's edited arguments at acceptance, as far as the run can; present only beside an approval (R24). */
  readonly inputSchema?: JsonSchema;
  /** A result that somebody outside gives passes through the worker: a full schema or an `afterTool` hook waits there. */
  readonly after?: true;
}

/** The host executes the call (R20). */
export interface RelayRoute extends HeldRoute {
  readonly to: 'relay';
  readonly expiresInMs?: number;
  /** Checks results at acceptance, as far as the run itself can (R24). */
  readonly outputSchema?: JsonSchema;
}

/** The worker executes the call. */
export interface ToolRoute extends HeldRoute {
  readonly to: 'tool';
  /** Milliseconds; 0 when unset. */
  readonly timeoutMs: number;
  readonly exclusive?: true;
  readonly taskQueue?: string;
  readonly onUnknownOutcome?: UnknownOutcomePolicy;
  /** Read-only or idempotent: may run again (R33). */
  readonly repeatable?: true;
  readonly destructive?: true;
}

/** Another agent works on the call, in a run of its own. */
export interface AgentRoute extends HeldRoute {
  readonly to: 'agent';
  readonly agent: string;
}

export function isHeldRoute(route: Route): route is RelayRoute | ToolRoute | AgentRoute {
  return route.to === 'relay' || route.to === 'tool' || route.to === 'agent';
}
