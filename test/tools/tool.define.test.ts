import { z } from 'zod';
import { defineTool, relayTool, type Duration } from '../../src/tools';
import { holdpointError } from '../support/matchers';

const base = { name: 'lookup', description: 'Looks up', execute: () => 'ok' };
const refused = (reason: RegExp) => holdpointError('Holdpoint.Tool.InvalidDefinition', reason);
/** A definition as JavaScript would give it. */
const define = (options: object) => defineTool(options as Parameters<typeof defineTool>[0]);

describe('defineTool', () => {
  test('R1: a definition is kept whole, unset options at their defaults', () => {
    expect(defineTool(base)).toMatchObject({
      name: 'lookup',
      description: 'Looks up',
      inputSchema: { type: 'object', properties: {} },
      hints: {},
      timeoutMs: 0,
      exclusive: false,
      source: 'native',
    });
    const tool = defineTool({
      ...base,
      hints: { destructive: true },
      timeoutMs: 50,
      exclusive: true,
      onUnknownOutcome: 'ask',
      taskQueue: 'gpu',
      needsApproval: true,
      expiresIn: '30 minutes',
      outputSchema: z.object({ n: z.number() }),
      execute: () => ({ n: 1 }),
    });
    expect(tool).toMatchObject({
      hints: { destructive: true },
      timeoutMs: 50,
      exclusive: true,
      onUnknownOutcome: 'ask',
      taskQueue: 'gpu',
      needsApproval: true,
      expiresInMs: 1_800_000,
      outputSchema: { type: 'object', required: ['n'] },
    });
  });

  test.each(['', 'a b', 'ä', 'a'.repeat(65), 'a.b', 'a/b', 7, undefined])(
    'R1: the name %p is refused',
    (name) => {
      expect(() => define({ ...base, name })).toThrow(refused(/`name`.*1 to 64 letters/));
    },
  );

  test('R1: the longest name is allowed', () => {
    expect(defineTool({ ...base, name: 'aZ09_-'.padEnd(64, 'x') }).name).toHaveLength(64);
  });

  test('R1: unknown options are refused and the known ones listed', () => {
    expect(() => define({ ...base, parameters: {}, timeout: 5 })).toThrow(
      refused(/Unknown option `parameters`, `timeout` of tool lookup.*inputSchema/),
    );
  });

  test.each<[string, unknown, RegExp]>([
    ['description', 5, /`description`.*a string, got 5/],
    ['execute', undefined, /`execute`.*a function, got undefined/],
    ['timeoutMs', -1, /`timeoutMs`.*whole number/],
    ['timeoutMs', 2 ** 31, /`timeoutMs`.*2147483647/],
    ['exclusive', 'yes', /`exclusive`.*a boolean, got "yes"/],
    ['taskQueue', '', /`taskQueue`/],
    ['onUnknownOutcome', 'again', /'retry', 'ask' or 'report'/],
    ['needsApproval', false, /true or a function, got false/],
    ['hints', { readonly: true }, /readOnly, destructive, idempotent, openWorld/],
    ['hints', { readOnly: 'yes' }, /an object of booleans/],
    ['expiresIn', '30 fortnights', /'30 minutes', got "30 fortnights"/],
    ['expiresIn', 0, /positive/],
    ['expiresIn', Number.NaN, /positive/],
  ])('R1: %s: %p is refused with what was expected', (option, value, reason) => {
    expect(() => define({ ...base, [option]: value })).toThrow(refused(reason));
  });

  test('R1: options that are no object are refused', () => {
    expect(() => defineTool(null as never)).toThrow(refused(/to be an object/));
  });

  test.each<[Duration, number]>([
    [1500, 1500],
    ['90s', 90_000],
    ['1.5 hours', 5_400_000],
    ['2 days', 172_800_000],
    ['1 week', 604_800_000],
    ['250ms', 250],
    ['3 m', 180_000],
  ])('R20: expiresIn %p is %p ms', (expiresIn, ms) => {
    expect(relayTool({ name: 'r', description: 'r', expiresIn }).expiresInMs).toBe(ms);
  });

  test('R20: a relay tool has no behaviour', () => {
    const tool = relayTool({
      name: 'stock',
      description: 'Stock',
      inputSchema: z.object({ sku: z.string() }),
    });
    expect(tool.source).toBe('relay');
    expect(tool.execute).toBeUndefined();
    expect(tool.call).toBeUndefined();
    expect(tool.inputSchema).toMatchObject({ required: ['sku'] });
    expect(() => relayTool({ ...base, name: 'r' })).toThrow(refused(/Unknown option `execute`/));
  });

  test('R1: types follow from the schemas', () => {
    defineTool({
      name: 'typed',
      description: '',
      inputSchema: z.object({ q: z.string(), n: z.number().default(1) }),
      outputSchema: z.object({ found: z.boolean() }),
      needsApproval: ({ n }) => n > 1,
      execute: ({ q, n }, ctx) => ({ found: q.length > n && !ctx.signal.aborted }),
    });
    defineTool({ ...base, inputSchema: { type: 'object' }, execute: (args) => Object.keys(args) });
    // @ts-expect-error no such option
    expect(() => defineTool({ ...base, retries: 3 })).toThrow();
    // @ts-expect-error `q` is a string
    defineTool({ ...base, inputSchema: z.object({ q: z.string() }), execute: ({ q }) => q * 2 });
    // @ts-expect-error the output is a number
    defineTool({ ...base, outputSchema: z.number(), execute: () => ({}) });
    // @ts-expect-error no such unit
    expect(() => relayTool({ name: 'r', description: '', expiresIn: '3 moons' })).toThrow();
  });
});
