import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { HoldpointError } from '../../src/agent/errors';
import { defineAgent } from '../../src/tools';
import { builtPackage } from '../cli/built-package';
import { openDesk } from '../client/desk';
import { testServer } from '../support/test-server';

const SECRET = 'value-0815';

test('R11: the log line of an activity that failed names type and message, and no value of the data', async () => {
  const lines: string[] = [];
  const generate = async (): Promise<never> => {
    throw new HoldpointError('Holdpoint.Model.NoApiKey', 'Set OPENAI_API_KEY.', { detail: SECRET });
  };
  const desk = await openDesk([defineAgent({ name: 'desk', model: 'm' })], testServer(), {
    models: { generate },
    logger: pino({}, { write: (line: string) => lines.push(line) }),
  });
  try {
    await expect(desk.client.run('desk', 'x')).resolves.toMatchObject({
      status: 'failed',
      error: { type: 'Holdpoint.Model.NoApiKey' },
    });
  } finally {
    await desk.close();
  }
  const failed = lines.find((line) => line.includes('Activity failed')) ?? '{}';
  expect(JSON.parse(failed)).toMatchObject({
    activityType: 'callModel',
    error: { type: 'Holdpoint.Model.NoApiKey', message: 'Set OPENAI_API_KEY.' },
  });
  const ended = lines.find((line) => line.includes('Workflow failed')) ?? '{}';
  expect(JSON.parse(ended)).toMatchObject({ error: { message: 'Set OPENAI_API_KEY.' } });
  expect(lines.join('')).not.toContain(SECRET);
});

const FULL = '/dev/full';

(existsSync(FULL) ? test : test.skip)('a log on a full disk neither ends nor stops what logs', () => {
  const logger = join(builtPackage(), 'lib/worker/logger.js');
  const script = `const log = require(process.argv[1]).defaultLogger({});
    for (let n = 0; n < 3; n += 1) log.warn({}, 'x'.repeat(100_000));
    setImmediate(() => { log.warn({}, 'y'); console.log('goes on'); });`;
  const disk = openSync(FULL, 'w');
  const run = spawnSync(process.execPath, ['-e', script, logger], {
    stdio: ['ignore', 'pipe', disk],
    timeout: 20_000,
    encoding: 'utf8',
  });
  closeSync(disk);
  expect([run.status, run.stdout]).toEqual([0, 'goes on\n']);
});
