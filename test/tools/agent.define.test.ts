import { z } from 'zod';
import { createToolkit, defineAgent, defineTool, relayTool } from '../../src/tools';
import { containing, holdpointError } from '../support/matchers';

const base = { name: 'desk', model: 'm' };
const lookup = defineTool({ name: 'lookup', description: '', execute: () => '' });
const refused = (reason: RegExp) => holdpointError('Holdpoint.Agent.InvalidDefinition', reason);

describe('defineAgent', () => {
  test('an agent keeps what it was given; tools may be a toolkit', () => {
    expect(defineAgent({ ...base, tools: createToolkit({ tools: [lookup] }) }).tools).toEqual([lookup]);
    expect(
      defineAgent({
        ...base,
        instructions: 'Be kind.',
        tools: [lookup],
        limits: { maxTurns: 3 },
        toolChoice: { tool: 'lookup' },
        maxTokens: 100,
        temperature: 0,
      }),
    ).toMatchObject({
      name: 'desk',
      instructions: 'Be kind.',
      limits: { maxTurns: 3 },
      toolChoice: { tool: 'lookup' },
      maxTokens: 100,
      temperature: 0,
    });
  });

  test.each<[string, object, RegExp]>([
    ['an unknown option', { prompt: 'x' }, /Unknown option `prompt` of agent desk/],
    ['an empty name', { name: '' }, /`name`/],
    ['a name with a slash', { name: 'a/b' }, /`name`/],
    ['a name that is too long', { name: 'a'.repeat(65) }, /`name`/],
    ['no model', { model: '' }, /`model`/],
    ['no tools but a text', { tools: 'lookup' }, /`tools`/],
    ['instructions of no kind', { instructions: 5 }, /`instructions`/],
    ['an unknown limit', { limits: { maxturns: 1 } }, /Unknown limit `maxturns`/],
    ['a limit of zero', { limits: { maxTurns: 0 } }, /at least 1/],
    [
      'a choice of a tool it lacks',
      { toolChoice: { tool: 'gone' } },
      /the tool gone, which the agent does not have/,
    ],
    ['a required tool without tools', { toolChoice: 'required' }, /asks for a tool/],
    ['a choice of no kind', { toolChoice: 'always' }, /`toolChoice`/],
    ['a negative temperature', { temperature: -1 }, /`temperature`/],
    ['an output schema without JSON form', { outputSchema: z.date() }, /outputSchema of agent desk/],
  ])('%s is refused with the reason', (_, options, reason) => {
    expect(() => defineAgent({ ...base, ...options })).toThrow(refused(reason));
  });

  test('R6: an agent’s tools must not clash', () => {
    const clash = holdpointError('Holdpoint.Tool.Clash');
    expect(() => defineAgent({ ...base, tools: [lookup, lookup] })).toThrow(clash);
    expect(() => defineAgent({ ...base, tools: [relayTool({ name: 'bash', description: '' })] })).toThrow(
      clash,
    );
  });

  test('what an output schema makes of the output survives JSON', () => {
    const agent = defineAgent({
      ...base,
      outputSchema: z.object({ at: z.string().transform((at) => new Date(at)) }),
    });
    expect(agent.checkOutput?.({ at: '2026-03-01' })).toEqual({
      ok: true,
      value: { at: '2026-03-01T00:00:00.000Z' },
    });
    expect(agent.checkOutput?.({ at: 1 })).toMatchObject({
      ok: false,
      problem: containing('`at`'),
    });
  });
});
