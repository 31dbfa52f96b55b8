import { approvalPrompt, inputDigest } from '../agent/approval';
import type { JsonObject } from '../agent/json';
import type { RequestPolicy } from '../agent/policy';
import type { RequestDraft } from '../agent/request';
import type { ApprovalContext, ApprovalPolicy, Tool } from '../agent/tool';

export interface ApprovalSubject {
  readonly callId: string;
  /** What will run. */
  readonly input: JsonObject;
  /** The model's raw argument string. */
  readonly arguments: string;
  /** What the agent said when it made the call. */
  readonly text: string;
  /** Milliseconds since the epoch; the deadline counts from it. */
  readonly now: number;
}

/**
 * The request that a person approves. `data.input` is exactly what will run, and `data.digest` the SHA-256
 * (hex) of its canonical JSON, so that a page, a token and the run can agree on what was approved.
 */
export function approvalRequest(tool: Tool, subject: ApprovalSubject): RequestDraft {
  const { callId, input, text, now } = subject;
  return {
    kind: 'approval',
    prompt: approvalPrompt(tool.name, input),
    data: {
      tool: tool.name,
      description: tool.description,
      hints: { ...tool.hints },
      input,
      arguments: subject.arguments,
      digest: inputDigest(input),
      text,
      callId,
    },
    ...(tool.expiresInMs !== undefined && { expiresAt: instantAfter(now, tool.expiresInMs) }),
    ...(tool.approval && { policy: policyFrom(tool.approval, now) }),
  };
}

function policyFrom(approval: ApprovalPolicy, now: number): RequestPolicy {
  const { approvers, quorum, remindAfterMs, escalateAfterMs, escalateTo } = approval;
  return {
    ...(approvers && { approvers }),
    ...(quorum !== undefined && { quorum }),
    ...(remindAfterMs !== undefined && { remindAt: instantAfter(now, remindAfterMs) }),
    ...(escalateAfterMs !== undefined && { escalateAt: instantAfter(now, escalateAfterMs) }),
    ...(escalateTo && { escalateTo }),
  };
}

function instantAfter(now: number, ms: number): string {
  return new Date(now + ms).toISOString();
}

/** True unless the tool lets this call run: anything but `false` asks, a throw as well (R42). */
export async function asksForApproval(tool: Tool, value: unknown, ctx: ApprovalContext): Promise<boolean> {
  if (tool.needsApproval === undefined) return false;
  if (tool.needsApproval === true) return true;
  return predicateAsks(tool, value, ctx);
}

/** The predicate alone: it is asked again about edited arguments, `true` is not (R28). */
export async function predicateAsks(tool: Tool, value: unknown, ctx: ApprovalContext): Promise<boolean> {
  if (typeof tool.needsApproval !== 'function') return false;
  try {
    const asks: unknown = await tool.needsApproval(value as JsonObject, ctx);
    return asks !== false;
  } catch {
    return true;
  }
}
