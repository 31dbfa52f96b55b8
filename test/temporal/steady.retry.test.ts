import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import { HoldpointError } from '../../src/agent/errors';
import { steadily, steadyCodec } from '../../src/temporal/steady';

const payload: Payload = { metadata: {}, data: new Uint8Array([1]) };
const workflow = { type: 'workflow', namespace: 'default', workflowId: 'w' } as const;
const activity = { type: 'activity', namespace: 'default', isLocal: false } as const;

/** A codec whose first calls fail. */
function failing(times: number): PayloadCodec {
  const attempt = (payloads: Payload[]) =>
    times-- > 0 ? Promise.reject(new Error('The keys are away')) : Promise.resolve(payloads);
  return { encode: attempt, decode: attempt };
}

test('a codec that fails for a moment loses nothing', async () => {
  expect(await steadyCodec(failing(2)).encode([payload])).toEqual([payload]);
  expect(await steadyCodec(failing(2)).decode([payload], workflow)).toEqual([payload]);
});

test('one that goes on failing is told of by a typed error; an activity that it keeps from its input has not begun', async () => {
  const encoded = steadyCodec(failing(9)).encode([payload], workflow);
  const read = steadyCodec(failing(9)).decode([payload], workflow);
  const input = steadyCodec(failing(9)).decode([payload], activity);
  const [afterwards, message, before] = await Promise.all(
    [encoded, read, input].map((work) => work.catch((error: unknown) => error)),
  );
  const type = 'Holdpoint.Data.Unavailable';
  const text = expect.stringMatching(/failed 5 times.* It said: The keys are away$/) as string;
  for (const error of [afterwards, message]) {
    expect(error).toBeInstanceOf(HoldpointError);
    expect(error).toMatchObject({ type, message: text });
  }
  expect(before).toBeInstanceOf(ApplicationFailure);
  expect(before).toMatchObject({ type, message: text, nonRetryable: false });
}, 40_000);

test.each([[[]], [[payload, payload]], [undefined]])(
  'a codec that gives back another number of payloads is refused, not believed: %j',
  async (made) => {
    const wrong = (): Promise<Payload[]> => Promise.resolve(made as Payload[]);
    const codec = steadyCodec({ encode: wrong, decode: wrong });
    const about = /Expected `encode` to give 1 payloads, got/;
    await expect(codec.encode([payload])).rejects.toMatchObject({
      message: expect.stringMatching(about) as string,
    });
  },
  20_000,
);

test('what never settles is given up, and tried again', async () => {
  let tries = 0;
  const work = (): Promise<string> =>
    (tries += 1) === 1 ? new Promise<string>(() => undefined) : Promise.resolve('here');
  expect(await steadily('The store', work, { tryMs: 20 })).toBe('here');
  expect(tries).toBe(2);
});
