import type { ErrorType } from '../../src/agent/errors';
import type { WorkerOptions } from '../../src/worker';
import { createWorker } from '../../src/worker';
import { defineAgent, defineTool } from '../../src/tools';
import { holdpointError } from '../support/matchers';

const desk = defineAgent({ name: 'desk', model: 'm' });
const look = defineTool({ name: 'look', description: 'Looks.', execute: () => 'seen' });

/** What a caller without TypeScript may pass. */
const create = (options: unknown) => createWorker(options as WorkerOptions);

const INVALID: ErrorType = 'Holdpoint.Worker.InvalidOptions';

describe('createWorker refuses, before it connects to anything', () => {
  it.each<[string, unknown, RegExp]>([
    ['no options', undefined, /object of worker options/],
    ['no agents', {}, /at least one agent/],
    ['an empty list of agents', { agents: [] }, /at least one agent/],
    ['what is no agent', { agents: ['desk'] }, /made by `defineAgent`, got "desk"/],
    ['two agents of one name', { agents: [desk, { ...desk }] }, /Two agents are named "desk"/],
    [
      'an agent with two tools of one name',
      { agents: [{ ...desk, tools: [look, look] }] },
      /two tools named "look"/,
    ],
    ['an unknown option', { agents: [desk], taskqueue: 'x' }, /Unknown option `taskqueue`.*taskQueue/],
    ['an unknown hook', { agents: [desk], hooks: { beforeTools: () => {} } }, /Unknown hook `beforeTools`/],
    [
      'a hook that is no function',
      { agents: [desk], hooks: { beforeTool: true } },
      /`hooks.beforeTool`.*function/,
    ],
    ['a waitFor that is no function', { agents: [desk], waitFor: 'me' }, /`waitFor`.*function, got "me"/],
    ['an empty task queue', { agents: [desk], taskQueue: '' }, /`taskQueue`.*non-empty string/],
    ['retries below 0', { agents: [desk], retries: -1 }, /`retries`.*at least 0, got -1/],
    ['half a byte of cache', { agents: [desk], cacheBytes: 0.5 }, /`cacheBytes`.*whole number/],
    [
      'a grace time that is none',
      { agents: [desk], shutdownGraceTime: 'soon' },
      /`shutdownGraceTime`.*got "soon"/,
    ],
    ['lists of another kind', { agents: [desk], searchAttributes: false }, /'full' or 'none', got false/],
    ['a bundle of another shape', { agents: [desk], workflowBundle: 'code' }, /`workflowBundle`/],
    [
      'a URL for an address',
      { agents: [desk], address: 'https://cloud.example:7233' },
      /host:port, .*got "https:.*Leave "https:\/\/" out; encryption is the option `tls`/,
    ],
    [
      'a connection and an address',
      { agents: [desk], connection: {}, address: 'x' },
      /`connection` is connected/,
    ],
  ])('%s', async (_, options, message) => {
    await expect(create(options)).rejects.toEqual(holdpointError(INVALID, message));
  });

  it('a model that is none', async () => {
    await expect(create({ agents: [desk], models: { local: {} } })).rejects.toEqual(
      holdpointError('Holdpoint.Model.InvalidOptions', /`local`/),
    );
  });

  it('a bundle that was built without its payload converter', async () => {
    await expect(create({ agents: [desk], workflowBundle: { code: 'var __TEMPORAL__' } })).rejects.toEqual(
      holdpointError(INVALID, /bundleWorkflows/),
    );
  });

  it('a bundle that is not there', async () => {
    await expect(create({ agents: [desk], workflowBundle: { codePath: '/no/such.js' } })).rejects.toEqual(
      holdpointError(INVALID, /\/no\/such\.js/),
    );
  });
});
