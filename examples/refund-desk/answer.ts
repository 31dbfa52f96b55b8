/** Answers a request of a parked run from another process: `npm run demo` prints how. */
import { parseArgs } from 'node:util';
import {
  answerDeclined,
  answerOutput,
  HoldpointError,
  isRelayRequest,
  relayAnswer,
  relayCallsOf,
  type Answer,
  type Request,
} from 'holdpoint';
import { createClient } from 'holdpoint/client';

const USAGE = `Usage: npx tsx examples/refund-desk/answer.ts [--address host:port] [--namespace name] <run> <request> <what>
  approve            lets a call run that waits for an approval
  result <text>      gives the result of each relayed call
  decline [<reason>] says no to either`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { address: { type: 'string' }, namespace: { type: 'string' } },
  });
  const [runId, requestId, what, text, ...more] = positionals;
  if (!runId || !requestId || !what) throw new Error(USAGE);
  if (more.length > 0) throw new Error(`Quote a text of several words, such as 'not now'.\n${USAGE}`);
  await using client = await createClient(values);
  const { requests = [], status } = await client.get(runId, { messages: false });
  const request = requests.find(({ id }) => id === requestId);
  // The client knows what became of a request that is not open any more, so it is asked all the same.
  const answer = toAnswer(request ?? { id: requestId, kind: status, prompt: '' }, what, text);
  const receipt = await client.answer(runId, answer);
  console.log(`The run has accepted it: ${JSON.stringify(receipt)}`);
}

function toAnswer(request: Request, what: string, text: string | undefined): Answer {
  switch (what) {
    case 'approve':
      if (text !== undefined) throw new Error(`An approval takes no text.\n${USAGE}`);
      if (isRelayRequest(request)) throw new Error(`It waits for a result, not for a yes.\n${USAGE}`);
      return { id: request.id, ok: true };
    case 'result': {
      if (request.kind === 'approval')
        throw new Error(`It waits for a yes or a no, not for a result.\n${USAGE}`);
      if (text === undefined) throw new Error(`The result is missing; '' is an empty one.\n${USAGE}`);
      const calls = relayCallsOf(request);
      if (calls.length < 2) return answerOutput(request.id, text);
      return relayAnswer(
        request.id,
        calls.map((call) => ({ id: call.id, output: text })),
      );
    }
    case 'decline':
      return answerDeclined(request.id, text);
    default:
      throw new Error(USAGE);
  }
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof HoldpointError ? `${error.type}: ${message}` : message);
  process.exitCode = 1;
});
