import { Client, Connection } from '@temporalio/client';
import type { ClientContext } from '../../src/client/client-context';
import { HistoryTail } from '../../src/client/history-tail';
import { WaitLimit } from '../../src/client/wait-limit';
import { contextOf } from './context-of';

/** A page as the server sends it: `marks` are the ids of events that change the memo. */
interface Page {
  readonly events: readonly number[];
  readonly marks?: readonly number[];
  /** Absent on the last page of a history that has ended. */
  readonly token?: string;
}

let connection: Connection;
let context: ClientContext;
let limit: WaitLimit;
let tokens: (string | undefined)[];

beforeEach(() => {
  // Never connected: the one request that a tail makes is answered below.
  connection = Connection.lazy({ address: '127.0.0.1:1' });
  const temporal = new Client({ connection });
  limit = new WaitLimit(temporal, {}, 60_000);
  context = contextOf(temporal);
  tokens = [];
});
afterEach(() => connection.close());

function serve(...pages: (Page | Error)[]): void {
  const rest = [...pages];
  jest
    .spyOn(connection.workflowService, 'getWorkflowExecutionHistory')
    .mockImplementation(async (request: { nextPageToken?: Uint8Array | null }) => {
      tokens.push(request.nextPageToken ? Buffer.from(request.nextPageToken).toString() : undefined);
      const page = rest.shift() ?? new Error('No more pages.');
      if (page instanceof Error) throw page;
      const { events, marks = [], token = '' } = page;
      return {
        nextPageToken: Buffer.from(token),
        archived: false,
        rawHistory: [],
        history: {
          events: events.map((eventId) => ({
            eventId,
            ...(marks.includes(eventId) && { workflowPropertiesModifiedEventAttributes: {} }),
          })),
        },
      } as never;
    });
}

const tail = (seen: number): HistoryTail => new HistoryTail(context, 'w', 'e', seen);

test('a tail passes over what is known and over empty polls, and stops at the next change of the memo', async () => {
  serve(
    { events: [1, 2, 3, 4], marks: [2, 4], token: 'p4' },
    { events: [], token: 'p4b' },
    { events: [5], token: 'p5' },
    { events: [6, 7], marks: [6], token: 'p7' },
  );
  await expect(tail(4).next(limit)).resolves.toBe('marker');
  expect(tokens).toEqual([undefined, 'p4', 'p4b', 'p5']);
});

test('a tail goes on where it stopped, and a later one where the client’s last one stopped', async () => {
  serve(
    { events: [1, 2], marks: [2], token: 'p2' },
    { events: [3], marks: [3], token: 'p3' },
    { events: [4] },
  );
  const first = tail(1);
  await expect(first.next(limit)).resolves.toBe('marker');
  await expect(first.next(limit)).resolves.toBe('marker');
  await expect(tail(3).next(limit)).resolves.toBe('end');
  expect(tokens).toEqual([undefined, 'p2', 'p3']);
  expect(context.tails.size).toBe(0);
});

test('a tail does not start behind what another wait has read: it would miss a change there', async () => {
  serve({ events: [1, 2, 3, 4], marks: [4], token: 'p4' }, { events: [1, 2, 3, 4], marks: [4], token: 'p4' });
  await tail(3).next(limit);
  await expect(tail(2).next(limit)).resolves.toBe('marker');
  expect(tokens).toEqual([undefined, undefined]);
});

test('a token that the server does not take any more starts the reading anew', async () => {
  const refusal = Object.assign(new Error('bad token'), { code: 3, details: 'bad token', metadata: {} });
  serve({ events: [1, 2], marks: [2], token: 'p2' }, refusal, {
    events: [1, 2, 3],
    marks: [2, 3],
    token: 'p3',
  });
  const first = tail(1);
  await first.next(limit);
  await expect(tail(2).next(limit)).resolves.toBe('marker');
  expect(tokens).toEqual([undefined, 'p2', undefined]);
});
