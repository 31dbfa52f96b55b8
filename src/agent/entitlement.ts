/** Who may decide about a request, and whether one person's word is enough. */
import type { Answer } from './answer';
import type { AnswerSteps } from './answer-content';
import { approversOf, mayAnswer, quorumOf, type PolicyState } from './policy';
import { framed, quote, refusal } from './refusal';
import type { OpenRequest } from './run-state';

/**
 * Refuses an answer from somebody whom the request does not ask, or who has had their say. The run believes `by` and
 * `roles`: whoever takes answers in sets them from a credential, never from what was sent.
 */
export function refuseOutsider(answer: Answer, { request: { policy } }: OpenRequest): void {
  if (!policy) return;
  const { by } = answer;
  const isCounted = quorumOf(policy) > 1;
  if (!by && (isCounted || policy.approvers))
    throw notApprover(
      answer,
      `It does not say who answers, and ${isCounted ? 'votes are counted by person' : 'not everybody may'}. Set \`by\` from the credential of whoever answers.`,
    );
  if (!mayAnswer(policy, answer))
    throw notApprover(
      answer,
      `${quote(by ?? '')} is none of those who may: ${(approversOf(policy) ?? []).map(quote).join(', ')}. It stays open for them.`,
    );
  const vote = policy.votes?.find((earlier) => earlier.by === by);
  if (vote && answer.ok)
    throw refusal(
      'Holdpoint.Answer.AlreadyAnswered',
      answer,
      framed(
        answer,
        `${quote(vote.by)} approved it at ${vote.at}, and a person has one vote; ${missing(policy)} more must approve.`,
      ),
      { votes: (policy.votes ?? []).map((one) => ({ ...one })) },
    );
}

/** Whether an approval is one vote of several, with more to come. An edit makes what was approved before void. */
export function isVote({ request: { policy } }: OpenRequest, answer: Answer, steps: AnswerSteps): boolean {
  const isEdit = [...steps.values()].some((step) => step.is === 'pass' && step.edited);
  const votes = isEdit ? 0 : (policy?.votes?.length ?? 0);
  return answer.ok && votes + 1 < quorumOf(policy);
}

/** How many approvals a policy still lacks. */
function missing(policy: PolicyState): number {
  return quorumOf(policy) - (policy.votes?.length ?? 0);
}

function notApprover(answer: Answer, problem: string) {
  return refusal('Holdpoint.Answer.NotApprover', answer, framed(answer, problem));
}
