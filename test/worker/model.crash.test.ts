import { isRecord } from '../../src/agent/json';
import type { RecordedRequest, ScriptedTurn } from '../../src/testing';
import { startWorkerProcess } from '../support/worker-process';
import { withScriptedModel } from '../support/with-scripted-model';
import { waitUntil } from '../support/wait-until';
import { agents } from './crash-agents';
import { withDesk, type Desk } from './fixtures';
import { openaiModel } from '../../src/models/openai';

// Only after a heartbeat timeout of 30 seconds does anybody know that the worker is gone.
jest.setTimeout(180_000);

const busy: ScriptedTurn = { status: 503, headers: { 'retry-after': '60' } };
const busyShortly: ScriptedTurn = { status: 503, headers: { 'retry-after': '0' } };

/** What each run's model does at its first request, its second, and so on. */
const SCRIPTS: Readonly<Record<string, readonly ScriptedTurn[]>> = {
  counted: [busy, busyShortly, { content: 'too late' }],
  unanswered: [{ hold: new Promise(() => undefined) }, busyShortly, { content: 'in time' }],
};

const nameOf = ({ body }: RecordedRequest): string => {
  const [message] = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  return typeof message?.['content'] === 'string' ? message['content'] : '';
};

/** What the server has of the run's model call, should its worker die now. */
async function noted(run: Awaited<ReturnType<Desk['startRun']>>): Promise<string> {
  const { raw } = await run.describe();
  return raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.map(({ data }) => String(data)).join() ?? '';
}

describe('a worker killed during a model call', () => {
  it('R37: uses up no request, and what had failed before stays counted', async () => {
    const counts = new Map<string, number>();
    const next = (request: RecordedRequest): ScriptedTurn => {
      const name = nameOf(request);
      const n = counts.get(name) ?? 0;
      counts.set(name, n + 1);
      return SCRIPTS[name]?.[n] ?? { status: 400 };
    };
    await withScriptedModel(next, async (scripted) => {
      const { baseURL } = scripted;
      await withDesk(async ({ taskQueue, start, startRun }) => {
        const path = require.resolve('./crash-agents');
        const worker = await startWorkerProcess({ agents: path, baseURL, taskQueue, retries: 1 });
        const counted = await startRun({ agent: 'desk', input: 'counted' });
        const unanswered = await startRun({ agent: 'desk', input: 'unanswered' });
        await scripted.waitForRequest(2);
        await waitUntil(
          () => noted(counted),
          (details) => details.includes('"failed":1'),
        );
        await worker.kill();
        await start({ agents, models: openaiModel({ baseURL, apiKey: 'none' }), retries: 1 });
        await expect(counted.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
        expect(await unanswered.result()).toMatchObject({ status: 'done', text: 'in time' });
        expect(Object.fromEntries(counts)).toEqual({ counted: 2, unanswered: 3 });
      });
    });
  });
});
