/** What a command's exit code says. Scripts depend on the numbers: they never change their meaning. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  pending: 3,
  ended: 4,
  refused: 5,
  unavailable: 6,
  waiting: 7,
} as const;

export type ExitName = keyof typeof EXIT;
export type ExitCode = (typeof EXIT)[ExitName] | typeof INTERRUPTED;

/** Ended by Ctrl-C, as shells number it. */
export const INTERRUPTED = 130;

const MEANINGS: Readonly<Record<ExitName, string>> = {
  done: 'done, or accepted',
  unexpected: 'an error that nobody foresaw',
  usage: 'wrong usage: an option, a file or a setting is not what it must be',
  pending: 'the run waits for an answer',
  ended: 'the run ended otherwise than done: incomplete, cancelled or failed',
  refused: 'refused: an answer that does not fit or comes too late, an unknown run, a conflict',
  unavailable: 'no Temporal server, no worker, or a port that is in use',
  waiting: 'the time to wait is over; the run goes on',
};

/** Any command may end with these. */
const OF_EVERY_COMMAND: readonly ExitName[] = ['unexpected', 'usage'];

/** The part of a help page on exit codes. */
export function exitCodesText(names: readonly ExitName[]): string {
  const shown = new Set<ExitName>([...names, ...OF_EVERY_COMMAND]);
  const lines = (Object.keys(EXIT) as ExitName[])
    .filter((name) => shown.has(name))
    .map((name) => `  ${EXIT[name]}  ${MEANINGS[name]}`);
  return ['Exit codes:', ...lines].join('\n');
}

export const ALL_EXITS = Object.keys(EXIT) as readonly ExitName[];

/** The exit code that goes with how a run stands. */
export function exitOfStatus(status: string): ExitCode {
  switch (status) {
    case 'done':
      return EXIT.done;
    case 'pending':
      return EXIT.pending;
    case 'running':
      return EXIT.waiting;
    default:
      return EXIT.ended;
  }
}

const UNAVAILABLE =
  /^Holdpoint\.(Server\.(?!InvalidOptions)|Client\.(Unreachable|NoWorker)|Worker\.(Unreachable|MissingSearchAttributes))/;
const USAGE =
  /\.(InvalidOptions|InvalidDefinition|InvalidInput)$|^Holdpoint\.(Tool\.Clash|Command\.(Usage|InvalidFile)|Config\.(Unreadable|Invalid)|Model\.NoApiKey|Mcp\.NotInstalled)$/;
const REFUSED = /^Holdpoint\.(Answer|Run|Conversation)\./;

/** The exit code that goes with an error's type. */
export function exitOfError(type: string, data: Readonly<Record<string, unknown>> = {}): ExitCode {
  // Who waited in vain for a run that nobody carries out lacks a worker, not patience.
  if (type === 'Holdpoint.Client.WaitTimedOut')
    return data['workers'] === 0 ? EXIT.unavailable : EXIT.waiting;
  if (type === 'Holdpoint.Command.Interrupted') return INTERRUPTED;
  if (UNAVAILABLE.test(type)) return EXIT.unavailable;
  if (USAGE.test(type)) return EXIT.usage;
  return REFUSED.test(type) ? EXIT.refused : EXIT.unexpected;
}
