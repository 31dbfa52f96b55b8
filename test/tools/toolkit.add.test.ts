import { createToolkit, defineTool, relayTool, type CustomTool } from '../../src/tools';
import { holdpointError } from '../support/matchers';

const relay = (name: string) => relayTool({ name, description: '' });
const plain = (name: string) => defineTool({ name, description: '', execute: () => '' });
const clash = (...names: string[]) => holdpointError('Holdpoint.Tool.Clash', /./, { names });

const RESERVED = 'bash read write edit grep glob webfetch question apply_patch todowrite'.split(' ');

describe('createToolkit', () => {
  test('R6: it holds its tools in order and finds them by name', () => {
    const toolkit = createToolkit({ tools: [plain('b'), relay('a')] }).add(plain('c'));
    expect([...toolkit].map((tool) => tool.name)).toEqual(['b', 'a', 'c']);
    expect(toolkit.get('a')?.source).toBe('relay');
    expect(toolkit.get('none')).toBeUndefined();
    expect([...createToolkit()]).toEqual([]);
  });

  test.each(RESERVED)('R6: a relay tool named %s is refused, builtins off', (name) => {
    expect(() => createToolkit({ tools: [relay(name)] })).toThrow(clash(name));
    expect(() => createToolkit({ tools: [relay(name)], builtins: false })).toThrow(clash(name));
  });

  test('R6: with builtins off an ordinary tool may have a builtin’s name', () => {
    expect(createToolkit({ tools: [plain('read')] }).get('read')?.source).toBe('native');
  });

  test('R6: every clash is listed, sorted', () => {
    const tools = [relay('write'), plain('x'), relay('x'), relay('bash'), plain('a'), plain('a')];
    expect(() => createToolkit({ tools })).toThrow(clash('a', 'bash', 'write', 'x'));
    expect(() => createToolkit({ tools })).toThrow(
      /a is the name of more than one tool.*bash is a relay tool/,
    );
  });

  test('R6: add obeys the same rule and changes nothing when it fails', () => {
    const toolkit = createToolkit({ tools: [plain('a')] });
    expect(() => toolkit.add(plain('b'), relay('a'))).toThrow(clash('a'));
    expect(() => toolkit.add(relay('grep'))).toThrow(clash('grep'));
    expect([...toolkit].map((tool) => tool.name)).toEqual(['a']);
  });

  test('R6: a closed toolkit takes no more tools', async () => {
    const toolkit = createToolkit();
    await toolkit.close();
    await toolkit.close();
    expect(() => toolkit.add(plain('a'))).toThrow(/closed/);
  });

  test('R6: with builtins on it has the tool question, and no other may have that name', () => {
    expect(createToolkit({ builtins: true }).get('question')?.source).toBe('builtin');
    expect(() => createToolkit({ builtins: true, tools: [plain('question')] })).toThrow(clash('question'));
    expect(() => createToolkit({ builtins: 'yes' } as never)).toThrow(/to be a boolean/);
  });

  test('R6: unknown options are refused', () => {
    expect(() => createToolkit({ extraTools: [] } as never)).toThrow(/Unknown option `extraTools`/);
  });

  test('R1: a literal becomes a tool of source custom, checked like any other', async () => {
    const literal: CustomTool = {
      name: 'confirm',
      description: 'Ask first',
      source: 'custom',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: async (args, ctx) => ({ output: `${JSON.stringify(args)} ${ctx.attempt}`, isError: false }),
    };
    const tool = createToolkit({ tools: [literal] }).get('confirm');
    expect(tool?.source).toBe('custom');
    expect(await tool?.call?.({ n: 3 })).toEqual({ output: '{"n":3} 1', isError: false });
    expect(await tool?.call?.({ n: 'x' })).toMatchObject({ isError: true });
    const create = (value: object) => () => createToolkit({ tools: [value as CustomTool] });
    expect(create({ ...literal, name: 'a b' })).toThrow(/`name`/);
    expect(create({ ...literal, concurrencySafe: true })).toThrow(/Unknown option `concurrencySafe`/);
    expect(create({ ...literal, source: 'relay' })).toThrow(/source relay/);
  });
});
