import type { JsonObject } from '../../src/agent/json';
import { repeatedFlags } from '../../src/cli/connection';
import { invocation } from '../../src/cli/invocation';
import { styleFor } from '../../src/cli/style';
import { tableLines } from '../../src/cli/table';
import { waysToAnswer } from '../../src/cli/ways-to-answer';

test('colours are for terminals that have them, and for readers who want them', () => {
  const isColoured = (isTTY: boolean, env: NodeJS.ProcessEnv): boolean =>
    styleFor({ isTTY }, env).red('x') !== 'x';
  expect(isColoured(true, { TERM: 'xterm' })).toBe(true);
  expect(isColoured(true, { NO_COLOR: '1' })).toBe(false);
  expect(isColoured(true, { TERM: 'dumb' })).toBe(false);
  expect(isColoured(false, { TERM: 'xterm' })).toBe(false);
});

test.each([
  [undefined, 'holdpoint'],
  ['npm/10.8.2 node/v20.19.0 linux x64', 'npx holdpoint'],
  ['pnpm/9.12.0 npm/? node/v20.19.0', 'pnpm exec holdpoint'],
  ['yarn/4.5.0 npm/? node/v20.19.0', 'yarn holdpoint'],
  ['bun/1.1.0', 'bunx holdpoint'],
])('the commands that are shown go the way that this one came: %s', (agent, command) => {
  expect(invocation({ npm_config_user_agent: agent })).toBe(command);
});

test('a command that is shown repeats where the runs are, quoted for a shell', () => {
  expect(repeatedFlags({ address: 'a.example:7233', namespace: 'my agents' })).toBe(
    " --address a.example:7233 --namespace 'my agents'",
  );
  const request = { id: 'req 1', kind: 'approval', prompt: 'approve it' };
  const [approve] = waysToAnswer({ runId: 'run 1' }, request, { address: 'a.example:7233' });
  expect(approve?.command).toMatch(/answer 'run 1' 'req 1' --address a\.example:7233 --approve$/);
});

test.each([
  ['approval', ['--approve', '--input', '--decline']],
  ['tool_call', ['--output', '--decline']],
  ['reconcile', ['--output', '--data', '--decline']],
  ['authorization', ['--approve', '--decline']],
  ['question', ['--data', '--approve', '--decline']],
])('a request of kind %s is shown with %j', (kind, options) => {
  const ways = waysToAnswer({ runId: 'r' }, { id: 'q', kind, prompt: '' }, {});
  expect(ways.map(({ command }) => / (--[\w-]+)/.exec(command)?.[1])).toEqual(options);
});

test('a relay call whose result is checked is shown with JSON to fill in', () => {
  const call = (id: string, outputSchema?: object) => ({
    id,
    name: 't',
    input: {},
    arguments: '{}',
    ...(outputSchema && { outputSchema }),
  });
  const shown = (...calls: object[]) =>
    waysToAnswer(
      { runId: 'r' },
      { id: 'q', kind: 'tool_call', prompt: '', data: { calls } as JsonObject },
      {},
    )[0]?.command;
  expect(shown(call('a', { type: 'object' }))).toMatch(/ --output '\{…\}'$/);
  expect(shown(call('a', { type: 'string' }))).toMatch(/ --output 'the result'$/);
  expect(shown(call('a', { type: 'object' }), call('b'))).toMatch(
    / --result 'a=\{…\}' --result 'b=the result'$/,
  );
});

test('a table’s columns line up, and on a terminal its last one is cut to the width', () => {
  const rows = [
    ['a', 'a long prompt that goes on'],
    ['bbbb', 'short'],
  ];
  expect(tableLines(['RUN', 'PROMPT'], rows)).toEqual([
    'RUN   PROMPT',
    'a     a long prompt that goes on',
    'bbbb  short',
  ]);
  expect(tableLines(['RUN', 'PROMPT'], rows, 24)[1]).toBe('a     a long prompt tha…');
});

test.each([
  [{}, ''],
  [{ approvers: ['finance'] }, " --by 'your name' --role finance"],
  [{ approvers: ['o’neil', 'x y'] }, " --by 'your name' --role 'o’neil'"],
  [{ quorum: 2 }, " --by 'your name'"],
])('where a request asks for some people (%j), its commands say who answers', (policy, who) => {
  const ways = waysToAnswer({ runId: 'r' }, { id: 'q', kind: 'approval', prompt: '', policy }, {});
  expect(ways.map(({ command }) => command.split(' r q ')[1])).toEqual([
    `--approve${who}`,
    `--input '{…}'${who}`,
    `--decline 'the reason'${who}`,
  ]);
});
