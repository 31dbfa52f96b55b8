import type { Request } from '../agent/request';
import { INPUT_KIND, QUESTION_KIND } from '../agent/question';
import type { RunView } from '../client';
import { repeatedFlags, type ConnectionFlags } from './connection';
import { invocation } from './invocation';
import { openCallsOf } from '../agent/open-calls';
import { approversOf, tallyOf } from '../agent/policy';
import type { RelayCall } from '../agent/relay';
import { shellQuote } from './shell-quote';

/** A command to paste, and what it does. */
export interface WayToAnswer {
  readonly command: string;
  readonly does: string;
}

/** The commands that answer a request, with its real ids; what the reader must fill in is between quotes. */
export function waysToAnswer(
  { runId, receipts }: Pick<RunView, 'runId' | 'receipts'>,
  request: Request,
  flags: ConnectionFlags,
): WayToAnswer[] {
  const start = `${invocation()} answer ${shellQuote(runId)} ${shellQuote(request.id)}${repeatedFlags(flags)}`;
  const who = whoFlags(request);
  const way = (options: string, does: string): WayToAnswer => ({
    command: `${start} ${options}${who}`,
    does,
  });
  const decline = way("--decline 'the reason'", 'says no');
  switch (request.kind) {
    case 'approval':
      return [
        way('--approve', 'lets it run'),
        way("--input '{…}'", 'lets it run with these arguments'),
        decline,
      ];
    case 'tool_call': {
      const calls = openCallsOf(request, receipts);
      const one = calls.length < 2;
      const sample = ({ outputSchema }: RelayCall): string =>
        outputSchema && outputSchema['type'] !== 'string' ? '{…}' : 'the result';
      const results = calls.map((call) => `--result ${shellQuote(`${call.id}=${sample(call)}`)}`).join(' ');
      const [first] = calls;
      const output = `--output ${shellQuote(first ? sample(first) : 'the result')}`;
      return [way(one ? output : results, one ? 'gives the result' : 'gives the results'), decline];
    }
    case 'reconcile':
      return [
        way("--output 'what happened'", 'gives its result'),
        way(`--data '{"rerun":true}'`, 'lets it run again'),
        way('--decline', 'leaves it unknown'),
      ];
    case QUESTION_KIND:
    case INPUT_KIND: {
      const { asks } = request.data ?? {};
      if (asks === 'form') return [way(`--data '{"content":{…}}'`, 'fills in the form'), decline];
      if (asks !== undefined) return [way("--output 'the answer'", 'answers'), decline];
      return openWays(way, decline);
    }
    case 'authorization':
      return [way('--approve', 'says that it is done'), decline];
    default:
      return openWays(way, decline);
  }
}

/** Where not everybody may answer, or people are counted, the name of an account is seldom enough. */
function whoFlags({ policy }: Request): string {
  const approvers = approversOf(policy);
  if (!approvers) return tallyOf(policy) ? " --by 'your name'" : '';
  // One of them: a command that is shown can be run as it is.
  const [role = ''] = approvers;
  return ` --by 'your name' --role ${shellQuote(role)}`;
}

function openWays(way: (options: string, does: string) => WayToAnswer, decline: WayToAnswer): WayToAnswer[] {
  return [way("--data '{…}'", 'answers with this'), way('--approve', 'says yes, with nothing more'), decline];
}

/** The ways as lines in two columns. */
export function waysLines(ways: readonly WayToAnswer[]): string[] {
  const width = Math.max(...ways.map(({ command }) => command.length));
  return ways.map(({ command, does }) => `${command.padEnd(width)}  # ${does}`);
}
