import type { ErrorType } from '../agent/errors';

/** How the library's messages name things, and how somebody at a terminal does. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/`address`/g, '--address'],
  [/`namespace`/g, '--namespace'],
  [/`apiKey`/g, 'TEMPORAL_API_KEY'],
  [/`tls`/g, 'TEMPORAL_TLS'],
  [/`taskQueue`/g, '--task-queue'],
  [/`runId`/g, 'the run id'],
  [/`conversationId`/g, 'the conversation id'],
  [
    /Give `createClient` the `payloadCodecs` and the `payloadStore` that the workers have/g,
    'Give --data-options the file with the `payloadCodecs` and the `payloadStore` that the workers have',
  ],
  [/with `searchAttributes: 'none'`/g, 'with --search-attributes none'],
  [/`waitForHalt\("(.*)"\)`/g, '`holdpoint show $1 --wait`'],
  [/`waitForHalt`/g, '`holdpoint show <run> --wait`'],
  [/with `whilePending` 'queue' or 'decline'/g, 'with --while-pending queue or decline'],
  [/start one with createWorker/g, 'start one with `holdpoint worker <file>`'],
  // What `nextStep` says of it is enough.
  [/ Look the open ones up with `get`\./g, ''],
  [/`get`/g, '`holdpoint show`'],
];

/** What to do next, where the message alone leaves it open. */
const NEXT: Partial<Record<ErrorType, string>> = {
  'Holdpoint.Client.Unreachable': '`holdpoint dev <file>` starts a server with a worker.',
  'Holdpoint.Worker.Unreachable': '`holdpoint dev <file>` starts a server with a worker.',
  'Holdpoint.Client.NoWorker': 'Start one with `holdpoint worker <file>`.',
  'Holdpoint.Run.NotFound': 'Check the id, --namespace and --tenant.',
  'Holdpoint.Run.AlreadyExists': 'Look at it with `holdpoint show`, or give another --run-id.',
  'Holdpoint.Answer.AlreadyAnswered': '`holdpoint show` tells who answered what.',
  'Holdpoint.Answer.UnknownRequest': '`holdpoint requests` lists the open ones.',
};

/** A message of the library in the words of the command. */
export function inCommandWords(message: string): string {
  return WORDS.reduce((text, [pattern, word]) => text.replace(pattern, word), message);
}

export function nextStep(type: string): string | undefined {
  return NEXT[type as ErrorType];
}
