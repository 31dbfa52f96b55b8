/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { approversOf, quorumOf } from '../agent/policy';
import type { Request } from '../agent/request';
import { Text } from './text';
import { Moment } from './when';

/** Who may answer, how many must agree, who has, and what happens when nobody does. */
export function Policy({ request: { policy, path } }: { readonly request: Request }) {
  const approvers = approversOf(policy);
  const quorum = quorumOf(policy);
  const votes = policy?.votes ?? [];
  const lines = [
    path === undefined || path.length === 0 ? null : (
      <>
        Asked by the sub-agent <Names names={path} between=" › " />.
      </>
    ),
    approvers === undefined ? null : (
      <>
        May be answered by <Names names={approvers} between=", " />.
      </>
    ),
    quorum === 1 ? null : (
      <>
        <strong>
          {votes.length} of {quorum}
        </strong>{' '}
        have approved{votes.length === 0 ? '. ' : ': '}
        <Names names={votes.map(({ by }) => by)} between=", " />
        {votes.length === 0 ? '' : '. '}One decline decides.
      </>
    ),
    policy?.remindedAt === undefined ? (
      policy?.remindAt === undefined ? null : (
        <>
          Those who may answer are reminded on <Moment at={policy.remindAt} />.
        </>
      )
    ) : (
      <>
        Those who may answer were reminded on <Moment at={policy.remindedAt} />.
      </>
    ),
    policy?.escalatedAt === undefined ? (
      policy?.escalateAt === undefined ? null : (
        <>
          From <Moment at={policy.escalateAt} /> on <Names names={policy.escalateTo ?? []} between=", " /> may
          answer, too.
        </>
      )
    ) : (
      <>
        Since <Moment at={policy.escalatedAt} /> <Names names={policy.escalateTo ?? []} between=", " /> may
        answer, too.
      </>
    ),
  ].filter((line) => line !== null);
  if (lines.length === 0) return null;
  return (
    <ul class="policy">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

function Names({ names, between }: { readonly names: readonly string[]; readonly between: string }) {
  return (
    <>
      {names.map((name, at) => (
        <>
          {at === 0 ? '' : between}
          <Text text={name} />
        </>
      ))}
    </>
  );
}
