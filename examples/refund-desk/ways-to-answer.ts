import { relayCallsOf, type Answer, type Request } from 'holdpoint';
import { hostAnswer } from './host-answers';

/** What someone else needs to reach a run. */
export interface RunPlace {
  readonly address: string;
  readonly namespace: string;
  readonly runId: string;
  /** The `temporal` command to show. */
  readonly temporal: string;
}

/** The ways to answer a request, with the real values: each line can be pasted into another terminal. */
export function waysToAnswer(request: Request, place: RunPlace): string[] {
  const { address, namespace, runId, temporal } = place;
  const answer = hostAnswer(request);
  const script = `npx tsx examples/refund-desk/answer.ts --address ${address} --namespace ${namespace} ${runId} ${request.id}`;
  const [verb, no] = relayCallsOf(request).length > 0 ? ['result', 'decline'] : ['approve', 'decline'];
  const signal = [
    quoted(temporal),
    `workflow signal --address ${address} --namespace ${namespace} --workflow-id ${runId}`,
    `--name runWithAnswer --input ${quoted(JSON.stringify(answer))}`,
  ];
  return [
    'from a second terminal, in this folder:',
    `  ${script} ${verb}${verb === 'result' ? ` ${quoted(firstOutput(answer))}` : ''}`,
    `  ${script} ${no} ${quoted('not this time')}`,
    'as a Temporal signal:',
    `  ${signal.join(' ')}`,
    'from code, in any process:',
    `  const client = await createClient({ address: '${address}', namespace: '${namespace}' });`,
    `  await client.answer('${runId}', ${JSON.stringify(answer)});`,
  ];
}

function firstOutput({ data }: Answer): string {
  const results = data?.['results'];
  const first: unknown = Array.isArray(results) ? results[0] : undefined;
  const output = typeof first === 'object' && first !== null && 'output' in first ? first.output : '';
  return String(output);
}

/** As a POSIX shell reads it. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
