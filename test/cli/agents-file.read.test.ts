import { readAgents } from '../../src/cli/agents-file';
import { defineAgent } from '../../src/tools';
import { holdpointError } from '../support/matchers';

const desk = defineAgent({ name: 'desk', model: 'm' });
const hooks = {};
const waitFor = async () => ({ id: 'x', ok: true });

/** As a CommonJS module that was TypeScript is seen by whoever imports it. */
const compiled = (exported: object) => ({ default: { __esModule: true, ...exported } });

test.each([
  ['a default array', { default: [desk] }, { agents: [desk] }],
  [
    'a default object',
    { default: { agents: [desk], hooks, retries: 1 } },
    { agents: [desk], hooks, retries: 1 },
  ],
  ['the name agents', { agents: [desk], other: 1 }, { agents: [desk] }],
  [
    'a default array beside named hooks',
    { default: [desk], hooks, waitFor },
    { agents: [desk], hooks, waitFor },
  ],
  ['compiled TypeScript with a default', compiled({ default: [desk], hooks }), { agents: [desk], hooks }],
  ['compiled TypeScript with a name', compiled({ agents: [desk] }), { agents: [desk] }],
  ['module.exports', { default: { agents: [desk] }, agents: [desk] }, { agents: [desk] }],
])('%s gives the agents', (_, module, options) => {
  expect(readAgents(module, 'agents.ts')).toEqual(options);
});

test.each([
  ['nothing', {}, /agents\.ts exports no agents\. Export the agents as the default export/],
  ['a number', { default: 7 }, /exports no agents/],
  ['one agent', { default: desk }, /exports one agent; export an array/],
  ['agents that are none', { agents: [{ name: 'desk' }] }, /not an array of agents/],
  ['an object without agents', { default: { hooks } }, /exports no agents/],
  ['an address', { default: { agents: [desk], address: 'x' } }, /sets address, .* use --address/],
  ['a task queue', { default: { agents: [desk], taskQueue: 'x' } }, /use --task-queue/],
])('%s is refused, with what to export', (_, module, message) => {
  expect(() => readAgents(module, 'agents.ts')).toThrow(
    holdpointError('Holdpoint.Command.InvalidFile', message, { file: 'agents.ts' }),
  );
});
