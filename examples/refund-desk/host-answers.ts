import {
  answerDeclined,
  relayAnswer,
  relayCallsOf,
  type Answer,
  type RelayCall,
  type Request,
} from 'holdpoint';

/**
 * What the demo's host says to a request: the warehouse's result for each relayed call, a yes to an approval,
 * and a no to anything that it does not know.
 */
export function hostAnswer(request: Request): Answer {
  switch (request.kind) {
    case 'tool_call':
      return relayAnswer(
        request.id,
        relayCallsOf(request).map((call) => ({ id: call.id, output: warehouseSays(call) })),
      );
    case 'approval':
      return { id: request.id, ok: true, by: 'demo' };
    default:
      return answerDeclined(request.id, 'the demo has no answer to this');
  }
}

function warehouseSays({ input: { order } }: RelayCall): string {
  return `Order ${typeof order === 'string' ? order : ''} came back on Monday, unworn and complete.`;
}
