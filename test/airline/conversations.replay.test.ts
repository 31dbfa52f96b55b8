import { readdirSync } from 'node:fs';
import { relayAnswer, relayCallsOf } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent } from '../../src/tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { AIRLINE, hasRecordings, readRecording, recordedPrompt, recordedTools } from './recording';

const files = hasRecordings ? readdirSync(AIRLINE).filter((file) => /^\d+\.json$/.test(file)) : [];

/** Of the halts of a conversation whose worker is restarted: at the first, and then at each one after so many. */
const RESTART_EVERY = 5;

if (!hasRecordings) {
  test.skip(`R39: recorded conversations come out as they were recorded (skipped: ${AIRLINE} is absent)`, () => {});
} else {
  let desk: Desk;

  beforeAll(async () => {
    quietRuntime();
    const agent = {
      name: 'airline',
      model: 'scripted',
      instructions: recordedPrompt(),
      tools: recordedTools(),
    };
    desk = await openDesk([defineAgent({ ...agent, limits: { maxTurns: 50 } })]);
  });
  afterAll(() => desk.close());

  test('all recordings are there', () => {
    expect(files).toHaveLength(24);
  });

  test.each(files.map((file, index) => ({ file, restarts: index % 2 === 1 })))(
    'R18, R20, R39: $file comes out of asks and answers as it was recorded; worker restarted: $restarts',
    async ({ file, restarts }) => {
      const { asks, messages } = readRecording(file);
      const conversationId = newId();
      const [first] = asks;
      desk.play(
        asks.flatMap((ask) => ask.turns),
        first?.text,
      );
      let result: RunResult | undefined;
      let halts = 0;
      for (const ask of asks) {
        result = await desk.client.ask('airline', conversationId, ask.text);
        for (const outputs of ask.outputs) {
          if (restarts && halts % RESTART_EVERY === 0) await restart();
          halts += 1;
          result = await desk.client.askWithAnswer(conversationId, host(result, outputs));
        }
        expect(result).toMatchObject({ status: 'done' });
      }
      expect(result?.messages).toEqual(messages);
    },
    300_000,
  );

  async function restart(): Promise<void> {
    await desk.stopWorker();
    await desk.startWorker();
  }

  /** The host executes every call of the halt; here it gives what it gave then. */
  function host(halted: RunResult, outputs: readonly string[]) {
    const calls = relayCallsOf(halted.pending);
    expect(calls).toHaveLength(outputs.length);
    const results = calls.map((call, index) => ({ id: call.id, output: outputs[index] ?? '' }));
    return relayAnswer(halted.pending?.id ?? '', results);
  }
}
