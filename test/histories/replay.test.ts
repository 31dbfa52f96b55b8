/**
 * Runs that are open now have histories like these, recorded with earlier code. A change of the workflow that
 * decides otherwise anywhere in them would stop such runs: it belongs behind `patched`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { replayCheck } from '../../src/testing';
import { quietRuntime } from '../support/quiet-runtime';
import { workflowBundle } from '../support/workflow-bundle';
import { CARRIED_SHAPES, CONVERSATION_SHAPES } from './conversation-shapes';
import { NOTIFY_SHAPES } from './notify-shapes';
import { HOSTED_SHAPES, RUN_SHAPES } from './shapes';

const files = readdirSync(__dirname).filter((file) => file.endsWith('.json'));
const names = (shapes: object): string[] => Object.keys(shapes);

beforeAll(() => quietRuntime());

test('every shape of a run has its recorded history, those that continue as new several', () => {
  const whole = [RUN_SHAPES, HOSTED_SHAPES, CONVERSATION_SHAPES, NOTIFY_SHAPES].flatMap(names);
  const parts = names(CARRIED_SHAPES).flatMap((name) => [`${name}-1`, `${name}-2`]);
  expect(files).toEqual(expect.arrayContaining([...whole, ...parts].map((name) => `${name}.json`)));
});

test.each(files)('%s replays with the code as it is now', async (file) => {
  await replayCheck(join(__dirname, file), { workflowBundle: await workflowBundle() });
});
